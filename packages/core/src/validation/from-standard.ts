import { coreError } from '../errors/codes.js'
import { messageOf } from '../errors/message-of.js'
import { isMinionsError } from '../errors/minions-error.js'
import { patternProblem } from '../fields/pattern.js'
import { copyJson } from '../json/copy-json.js'
import { pointerTo } from '../json/pointer.js'
import { FORMATS } from './formats.js'
import { type Issue, MAX_ISSUES } from './issue.js'
import type { JsonSchema } from './json-schema.js'
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js'
import { type SchemaObject, subschemas } from './subschemas.js'
import { unreadable } from './validator.js'

export function fromStandard({ '~standard': standard }: StandardSchema) {
  const { vendor } = standard
  const validate = (value: unknown): StandardResult<unknown> => {
    const result = standard.validate(value)
    if (!('then' in result)) return result
    result.then(undefined, () => undefined)
    throw coreError('INVALID_SCHEMA', `The ${vendor} schema validates asynchronously; supply a synchronous one.`)
  }
  const issues = (value: unknown): Issue[] => {
    try {
      return (validate(value).issues ?? []).slice(0, MAX_ISSUES).map(issueOf)
    } catch (error) {
      if (isMinionsError(error)) throw error
      return [unreadable(error)]
    }
  }
  return {
    check: (value: unknown): value is unknown => issues(value).length === 0,
    issues,
    complete(value: unknown) {
      const result = validate(value)
      const completed = result.issues === undefined ? result.value : value
      return completed === undefined ? undefined : copyJson(completed)
    },
  }
}

function issueOf({ message, path = [] }: StandardIssue): Issue {
  const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
  return { pointer: keys.reduce<string>(pointerTo, ''), code: 'standard', message: `is not valid: ${message}` }
}

/** The JSON Schema of a Standard Schema without what only the library can check. Throws `INVALID_SCHEMA`. */
export function jsonSchemaOf({ '~standard': { vendor, jsonSchema } }: StandardSchema): JsonSchema {
  const advice =
    'use a version of the library that implements Standard JSON Schema (zod 4.2, arktype 2.1.28), or wrap the schema (toStandardJsonSchema of @valibot/to-json-schema)'
  if (jsonSchema === undefined) {
    throw coreError('INVALID_SCHEMA', `The ${vendor} schema has no JSON Schema, which is needed here; ${advice}.`)
  }
  try {
    const schema = copyJson(jsonSchema.input({ target: 'draft-2020-12' }))
    dropUnchecked(schema)
    return schema
  } catch (cause) {
    throw coreError('INVALID_SCHEMA', `The ${vendor} schema cannot be converted to JSON Schema: ${messageOf(cause)}`, {
      cause,
    })
  }
}

function dropUnchecked(schema: SchemaObject): void {
  if (typeof schema.pattern === 'string' && patternProblem(schema.pattern) !== undefined) delete schema.pattern
  if (typeof schema.format === 'string' && !FORMATS.has(schema.format)) delete schema.format
  for (const child of subschemas(schema, '', '2020-12')) dropUnchecked(child.schema)
}
