import { guarded } from '../errors/guard.js'
import { messageOf } from '../errors/message-of.js'
import { isMinionsError } from '../errors/minions-error.js'
import { BoundedMap } from '../json/bounded-map.js'
import { copyJson } from '../json/copy-json.js'
import { deepFreeze } from '../json/deep-freeze.js'
import { pointerSegments } from '../json/pointer.js'
import { defaultsOf } from './defaults.js'
import { fromStandard, jsonSchemaOf } from './from-standard.js'
import { describeIssues, type Issue, issueAt } from './issue.js'
import type { JsonSchema } from './json-schema.js'
import { LINEAR, NATIVE } from './matchers.js'
import { copySchema, readSchema, type SchemaOptions } from './read-schema.js'
import type { SchemaType } from './schema-type.js'
import { isStandardSchema, type StandardIssue, type StandardProps, type StandardSchema } from './standard-schema.js'
import { Validator } from './validator.js'

/** A compiled schema from any library. It is itself a Standard Schema. */
export interface CompiledSchema<T = unknown> {
  /** The schema as JSON Schema: a frozen copy. Throws `INVALID_SCHEMA` for a Standard Schema that has no such form. */
  readonly schema: JsonSchema
  /** True if a value is valid. */
  check(value: unknown): value is T
  /** Everything that keeps a value from being valid, at most 1,000 issues. */
  issues(value: unknown): readonly Issue[]
  /** A copy of a value with defaults filled in. Throws `VALIDATION_FAILED` for what JSON cannot represent. */
  complete(value: unknown): unknown
  readonly '~standard': StandardProps<unknown, T>
}

const cache = new BoundedMap<string, CompiledSchema>(500)

/** Compiled schemas by their own `schema`, which is frozen, and by the Standard Schema that they come from. */
const known = new WeakMap<object, CompiledSchema>()

/**
 * Compiles a schema of typebox 1.x, `@sinclair/typebox`, zod, valibot, arktype or another library that follows Standard
 * Schema, or plain JSON Schema of draft 2020-12 or draft-07. Equal schemas are compiled once. Throws `INVALID_SCHEMA`
 * with every issue when it cannot be used; an asynchronous Standard Schema is refused when it is used.
 */
export const compileSchema = guarded('compileSchema', compileSchemaUnchecked)

function compileSchemaUnchecked<S extends object>(schema: S, options?: SchemaOptions): CompiledSchema<SchemaType<S>>
function compileSchemaUnchecked(schema: object, options?: SchemaOptions): CompiledSchema {
  const compiled = options === undefined && Object(schema) === schema ? known.get(schema) : undefined
  if (compiled !== undefined) return compiled
  return isStandardSchema(schema) ? compileStandard(schema) : compileJsonSchema(schema, options)
}

/**
 * The JSON Schema of a schema from any library: that of a Standard Schema, from which `compileSchema` finds back to it, and
 * any other schema as it is. Throws `INVALID_SCHEMA`.
 */
export const asJsonSchema = guarded(
  'asJsonSchema',
  (schema: object): JsonSchema => (isStandardSchema(schema) ? compileSchema(schema).schema : (schema as JsonSchema)),
)

/** Everything that keeps a schema from being used and published; empty when nothing does. Never throws. */
export const schemaIssues = guarded('schemaIssues', (schema: unknown): readonly Issue[] => {
  try {
    // Reading it converts a Standard Schema.
    void compileSchema(schema as object).schema
    return []
  } catch (error) {
    const { errors } = isMinionsError(error) ? error.details : {}
    return (errors as Issue[] | undefined) ?? [issueAt('', 'UNUSABLE', `cannot be used: ${messageOf(error)}`)]
  }
})

function compileJsonSchema(input: object, options: SchemaOptions = {}): CompiledSchema {
  const { schema, text } = copySchema(input, options)
  const key = `${options.assertFormats} ${options.trusted} ${text}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached

  const normalized = readSchema(schema, options)
  const matchers = options.trusted ? NATIVE : LINEAR
  const complete = defaultsOf(normalized, matchers)
  // Defaults may be infinite.
  complete({})
  const validator = new Validator(normalized, matchers)
  const compiled: CompiledSchema = {
    schema,
    check: (value): value is unknown => validator.check(value),
    issues: (value) => validator.issues(value),
    complete,
    get '~standard'() {
      return standardProps(compiled)
    },
  }
  cache.set(key, compiled)
  known.set(schema, compiled)
  return compiled
}

function compileStandard(standard: StandardSchema): CompiledSchema {
  let schema: JsonSchema | undefined
  const compiled: CompiledSchema = {
    ...fromStandard(standard),
    get schema() {
      if (schema === undefined) {
        schema = deepFreeze(copyJson(compileJsonSchema(jsonSchemaOf(standard)).schema))
        known.set(schema, compiled)
      }
      return schema
    },
    get '~standard'() {
      return standardProps(compiled)
    },
  }
  known.set(standard, compiled)
  return compiled
}

function standardProps(compiled: CompiledSchema): StandardProps {
  const toJsonSchema = () => ({ ...compiled.schema })
  return {
    version: 1,
    vendor: 'minions',
    validate(input) {
      try {
        const value = compiled.complete(input)
        const issues = compiled.issues(value)
        return issues.length === 0 ? { value } : { issues: issues.map(toStandard) }
      } catch (error) {
        return { issues: [{ message: messageOf(error) }] }
      }
    },
    jsonSchema: { input: toJsonSchema, output: toJsonSchema },
  }
}

function toStandard(issue: Issue): Issue & StandardIssue {
  return { ...issue, message: describeIssues([issue]), path: pointerSegments(issue.pointer) }
}
