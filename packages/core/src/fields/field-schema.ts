import type { FieldDefinition, FieldType } from '../schemas/field-definition.js'
import { isDate } from '../schemas/timestamp.js'
import type { Matchers } from '../validation/assertions.js'
import type { Format } from '../validation/formats.js'
import type { SchemaObject } from '../validation/subschemas.js'
import { isEmail, isUrl } from './formats.js'
import { compilePattern, patternProblem } from './pattern.js'

/** The field types whose `minLength`, `maxLength` and `pattern` apply. */
export const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'textarea', 'url', 'email'])

const DATE_RULE =
  'must be an ISO 8601 date such as 2024-01-15 or 2024-01-15T10:30:00Z, on a day that exists and not in a leap second (:60)'

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['date', { on: 'string', test: isDate, message: DATE_RULE }],
  ['url', { on: 'string', test: isUrl, message: 'must be an http:// or https:// address with a host' }],
  ['email', { on: 'string', test: isEmail, message: 'must be an e-mail address' }],
])

export const FIELD_MATCHERS: Matchers = { pattern: compilePattern, format: (name) => FORMATS.get(name) }

const TEXT: SchemaObject = { type: 'string', storable: true }

const SCHEMAS: Readonly<Record<FieldType, (field: FieldDefinition) => SchemaObject>> = {
  string: () => TEXT,
  textarea: () => TEXT,
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  url: () => ({ type: 'string', format: 'url' }),
  email: () => ({ type: 'string', format: 'email' }),
  select: (field) => ({ type: 'string', enum: optionsOf(field) }),
  'multi-select': (field) => {
    const options = optionsOf(field)
    return options.length === 0 ? { type: 'array', enum: options } : { type: 'array', items: { enum: options } }
  },
  tags: () => ({ type: 'array', items: TEXT }),
  json: () => ({ json: true }),
  array: () => ({ type: 'array', json: true }),
}

/** The rules for a value of a field: type, format and options, partly in keywords of our own. */
export function valueSchema(field: FieldDefinition): SchemaObject {
  if (Object.hasOwn(SCHEMAS, field.type)) return SCHEMAS[field.type](field)
  return { unusable: { as: 'unknown_type', message: `has the unknown type ${JSON.stringify(field.type)}` } }
}

/** The same, with the limits of `validation` that apply to the field's type. */
export function fieldSchema(field: FieldDefinition): SchemaObject {
  const { min, max, minLength, maxLength, pattern } = field.validation ?? {}
  const schema = valueSchema(field)
  if (field.type === 'number') {
    return { ...schema, ...(isNumber(min) && { minimum: min }), ...(isNumber(max) && { maximum: max }) }
  }
  if (!TEXT_TYPES.has(field.type)) return schema
  return {
    ...schema,
    ...(isNumber(minLength) && { minLength }),
    ...(isNumber(maxLength) && { maxLength }),
    ...(pattern !== undefined && patternSchema(pattern)),
  }
}

/** The rules for a value in which every text is known to be storable. */
export function ofStorable({ storable: _storable, ...schema }: SchemaObject): SchemaObject {
  return schema.items === TEXT ? { ...schema, items: ofStorable(TEXT) } : schema
}

function patternSchema(pattern: string): SchemaObject {
  const problem = patternProblem(pattern)
  if (problem === undefined) return { pattern }
  return { unusable: { as: 'invalid_pattern', message: `cannot be checked: its pattern ${problem}` } }
}

/** The options of a select field, each once; empty for a definition without valid options. */
function optionsOf(field: FieldDefinition): readonly string[] {
  return Array.isArray(field.options) ? [...new Set(field.options)] : []
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}
