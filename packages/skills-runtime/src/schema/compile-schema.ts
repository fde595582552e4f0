import { skillsError } from '../errors.js'
import { attributeIssue, type ValidationIssue } from '../validation.js'
import { issuesFromAjv } from './ajv-issues.js'
import type { Dialect, JsonSchema } from './json-schema.js'
import { readSchema } from './schema-problems.js'

/** A schema ready for use, however it was made. */
export interface CompiledSchema {
  /** A plain copy of the schema; it shares nothing with what was passed in. */
  readonly schema: JsonSchema
  readonly dialect: Dialect
  /** A copy of the value with the schema's defaults filled in. Throws `VALIDATION_FAILED` for what JSON cannot carry. */
  complete(value: unknown): unknown
  /** Every rule of the schema that the value breaks (at most 100). The value is not changed. */
  validate(value: unknown): ValidationIssue[]
}

/**
 * Compiles a JSON Schema: one built with `typebox` 1.x or `@sinclair/typebox`, or written by hand in draft 2020-12 or
 * draft-07. Throws `INVALID_SCHEMA` with every problem when it cannot be used.
 */
export function compileSchema(schema: object): CompiledSchema {
  const reading = readSchema(schema)
  if (reading.problems !== undefined) {
    throw skillsError('INVALID_SCHEMA', `The JSON Schema cannot be used: ${reading.problems[0]?.message ?? ''}`, {
      details: { errors: reading.problems },
    })
  }
  const { dialect, complete, findErrors } = reading
  return {
    schema: reading.schema,
    dialect,
    complete,
    validate(value) {
      try {
        return issuesFromAjv(findErrors(value))
      } catch (error) {
        // The one thing a compiled validator throws: a value nested deeper than the stack, which `complete` refuses.
        if (!(error instanceof RangeError)) throw error
        return [attributeIssue('', 'DEPTH', 'The value is nested too deeply to be checked.')]
      }
    },
  }
}
