import { messageOf } from '@minions/core'
import { jsonProblem } from '@minions/core/json'
import { type CompiledSchema, compileSchema } from '@minions/core/schema'
import { promptsError } from '../errors.js'
import { type Evaluator, scored } from './evaluation.js'

/** JSON Schema, or a schema of TypeBox or of a library that follows Standard Schema; `true` accepts everything. */
export type JsonSchema = boolean | object

const FENCE = /^\s*```[a-zA-Z]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```\s*$/

export function schemaEvaluator(schema: JsonSchema, dimension: string): Evaluator {
  const { check } = compile(typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema)
  return (output) => scored(dimension, accepts(check, output) ? 100 : 0)
}

function accepts(check: (value: unknown) => boolean, output: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(FENCE.exec(output)?.[1] ?? output)
  } catch {
    return false
  }
  return jsonProblem(value) === undefined && check(value)
}

function compile(schema: object): CompiledSchema {
  try {
    return compileSchema(schema)
  } catch (cause) {
    throw promptsError('EVALUATOR_INVALID', `The schema of an evaluator cannot be used: ${messageOf(cause)}`, { cause })
  }
}
