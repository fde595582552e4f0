import { guarded } from '../errors/guard.js'
import { takeList } from '../errors/take.js'
import { copyJson } from '../json/copy-json.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { setOwn } from '../json/set-own.js'
import type { FieldDefinition, FieldType } from '../schemas/field-definition.js'
import { textMatching } from '../schemas/text-matching.js'
import { DATE_PATTERN } from '../schemas/timestamp.js'
import { isAbsent } from './absent.js'
import { optionsOf, TEXT_TYPES } from './field-schema.js'
import { EMAIL_PATTERN, URL_PATTERN } from './formats.js'
import { patternProblem } from './pattern.js'
import { validateField } from './validate.js'

/** Accepts nothing: the schema of a field whose definition cannot be used. */
const NOTHING: JsonObject = { not: {} }

const SCHEMAS: Readonly<Record<FieldType, (field: FieldDefinition) => JsonObject>> = {
  string: () => ({ type: 'string' }),
  textarea: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ ...textMatching(DATE_PATTERN), anyOf: [{ format: 'date' }, { format: 'date-time' }] }),
  url: () => ({ ...textMatching(URL_PATTERN), format: 'uri' }),
  email: () => ({ ...textMatching(EMAIL_PATTERN), format: 'email' }),
  select: (field) => withOptions(field, (options) => ({ type: 'string', enum: options })),
  'multi-select': (field) => withOptions(field, (options) => ({ type: 'array', items: { enum: options } })),
  tags: () => ({ type: 'array', items: { type: 'string' } }),
  json: () => ({}),
  array: () => ({ type: 'array' }),
}

/**
 * The JSON Schema (draft 2020-12) of a type's fields, for fields from which absent values were removed and with formats
 * asserted. It accepts what `validateFields` accepts; beyond that, only values that JSON Schema cannot tell apart.
 */
export const toJsonSchema = guarded('toJsonSchema', toJsonSchemaUnchecked, { checksInside: true })

function toJsonSchemaUnchecked(type: { readonly schema: readonly FieldDefinition[] }): JsonObject {
  const properties: Record<string, JsonValue> = {}
  const schema = takeList('The schema of a type', type.schema)
  for (const field of schema) setOwn(properties, field.name, fieldSchema(field))
  const required = schema.filter((field) => field.required === true).map((field) => field.name)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function fieldSchema(field: FieldDefinition): JsonObject {
  const schema = Object.hasOwn(SCHEMAS, field.type) ? SCHEMAS[field.type](field) : NOTHING
  return { ...annotations(field), ...schema, ...limits(field, schema) }
}

function annotations({ label, description, ...field }: FieldDefinition): JsonObject {
  const { defaultValue } = field
  const usable = !isAbsent(defaultValue) && validateField(defaultValue, { ...field, required: false }).length === 0
  return {
    ...(label !== undefined && { title: label }),
    ...(description !== undefined && { description }),
    ...(usable && { default: copyJson(defaultValue as JsonValue) }),
  }
}

function withOptions(field: FieldDefinition, schema: (options: readonly string[]) => JsonObject): JsonObject {
  const options = [...new Set(optionsOf(field))]
  return options.length > 0 ? schema(options) : NOTHING
}

function limits(field: FieldDefinition, schema: JsonObject): JsonObject {
  const { min, max, minLength, maxLength, pattern } = field.validation ?? {}
  if (field.type === 'number') {
    return { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
  }
  if (!TEXT_TYPES.has(field.type)) return {}
  const shortest = field.required === true ? Math.max(1, minLength ?? 0) : minLength
  return {
    ...(shortest !== undefined && { minLength: shortest }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && patternLimit(pattern, schema)),
  }
}

/** Formats have their own pattern, so another one is added beside it. */
function patternLimit(pattern: string, schema: JsonObject): JsonObject {
  if (patternProblem(pattern) !== undefined) return NOTHING
  return schema.pattern === undefined ? { pattern } : { allOf: [{ type: 'string', pattern }] }
}
