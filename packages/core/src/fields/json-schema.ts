import { guarded } from '../errors/guard.js'
import { takeList } from '../errors/take.js'
import { copyJson } from '../json/copy-json.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import { setOwn } from '../json/set-own.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import { textMatching } from '../schemas/text-matching.js'
import { DATE_PATTERN } from '../schemas/timestamp.js'
import { isAbsent } from './absent.js'
import { fieldSchema, TEXT_TYPES } from './field-schema.js'
import { EMAIL_PATTERN, URL_PATTERN } from './formats.js'
import { validateField } from './validate.js'

/** Accepts nothing: the schema of a field whose definition cannot be used. */
const NOTHING: JsonObject = { not: {} }

/** The formats of fields, each with the pattern that describes it. */
const FORMATS: Readonly<Record<string, JsonObject>> = {
  date: { ...textMatching(DATE_PATTERN), anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  url: { ...textMatching(URL_PATTERN), format: 'uri' },
  email: { ...textMatching(EMAIL_PATTERN), format: 'email' },
}

/**
 * The JSON Schema (draft 2020-12) of a type's fields, for fields from which absent values were removed and with formats
 * asserted. It accepts what `validateFields` accepts; beyond that, only values that JSON Schema cannot tell apart.
 */
export const toJsonSchema = guarded('toJsonSchema', toJsonSchemaUnchecked, { checksInside: true })

function toJsonSchemaUnchecked(type: { readonly schema: readonly FieldDefinition[] }): JsonObject {
  const properties: Record<string, JsonValue> = {}
  const schema = takeList('The schema of a type', type.schema)
  for (const field of schema) setOwn(properties, field.name, propertySchema(field))
  const required = schema.filter((field) => field.required === true).map((field) => field.name)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

/** The rules of a field without our own keywords, which JSON Schema cannot express, and with its format as a pattern. */
function propertySchema(field: FieldDefinition): JsonObject {
  const { storable: _storable, json: _json, unusable, format, pattern, items, ...rules } = fieldSchema(field)
  const { enum: options, minLength = 0 } = rules as { readonly enum?: readonly string[]; readonly minLength?: number }
  if (unusable !== undefined || options?.length === 0) return { ...annotations(field), ...NOTHING }
  const isNeeded = field.required === true && TEXT_TYPES.has(field.type)
  return {
    ...annotations(field),
    ...(rules as JsonObject),
    ...(format !== undefined && FORMATS[String(format)]),
    ...(items !== undefined && { items: field.type === 'tags' ? { type: 'string' } : (items as JsonObject) }),
    ...(isNeeded && { minLength: Math.max(1, minLength) }),
    // A format has its own pattern, so another one is added beside it.
    ...(typeof pattern === 'string' && (format === undefined ? { pattern } : { allOf: [{ type: 'string', pattern }] })),
  }
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
