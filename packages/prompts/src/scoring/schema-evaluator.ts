import { compilePattern, jsonProblem } from '@minions/core'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { promptsError } from '../errors.js'
import { type Evaluator, scored } from './evaluation.js'

/** A JSON Schema: draft 2020-12, or draft-07 when its `$schema` says so. TypeBox schemas are JSON Schemas. */
export type JsonSchema = boolean | object

const MAX_SCHEMA_LENGTH = 256 * 1024
const FENCE = /^\s*```[a-zA-Z]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```\s*$/

export function schemaEvaluator(schema: JsonSchema, dimension: string): Evaluator {
  const validate = compileSchema(schema)
  return (output) => scored(dimension, accepts(validate, output) ? 100 : 0)
}

function accepts(validate: ValidateFunction, output: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(FENCE.exec(output)?.[1] ?? output)
  } catch {
    return false
  }
  if (jsonProblem(value)) return false
  try {
    return validate(value)
  } catch (cause) {
    throw invalid('refers to itself without end', cause)
  }
}

function compileSchema(schema: JsonSchema): ValidateFunction {
  const problem = typeof schema === 'boolean' ? undefined : jsonProblem(schema)
  if (problem) throw invalid(`is not JSON: ${problem.pointer || 'it'} ${problem.message}`)
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) throw invalid(`is longer than ${MAX_SCHEMA_LENGTH} characters`)
  if (Object.hasOwn(Object(schema), '$async')) throw invalid('is asynchronous, which evaluators are not')
  try {
    const ajv = isDraft07(schema) ? new Ajv(options) : new Ajv2020(options)
    addFormats.default(ajv)
    return ajv.compile(schema)
  } catch (cause) {
    throw invalid(`cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

function isDraft07(schema: JsonSchema): boolean {
  return typeof schema === 'object' && '$schema' in schema && String(schema.$schema).includes('draft-07')
}

/** The validator tells patterns apart by their text, which a compiled one does not have. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const { test } = compilePattern(pattern)
  return { test, toString: () => `/${pattern}/` }
}

/** Patterns inside schemas run on the linear-time engine; those it cannot run, and unknown formats, are refused. */
const options: Options = {
  strict: false,
  code: { regExp: Object.assign(linearRegExp, { code: 'linearRegExp' }) },
  logger: {
    log: () => undefined,
    warn: (message: string) => {
      throw new Error(message)
    },
    error: () => undefined,
  },
}

function invalid(problem: string, cause?: unknown) {
  return promptsError('EVALUATOR_INVALID', `The JSON Schema of an evaluator ${problem}.`, { cause })
}
