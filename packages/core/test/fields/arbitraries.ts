import fc from 'fast-check'
import { FIELD_TYPES, type FieldDefinition } from '../../src/index.js'

const names = fc.constantFrom('a', 'b', 'name', 'constructor', 'toString', 'ümlaut', 'x y')
const options = fc.uniqueArray(fc.constantFrom('red', 'green', 'blue', '', 'toString'), { maxLength: 4 })
const patterns = fc.constantFrom('^a', 'b$', '^\\w+$', '\\s', '^[^a-f]*$', '^(a+)+$', '\\p{Lu}', '(?=a)', '[', '😀')

const validation = fc.record(
  {
    minLength: fc.nat({ max: 4 }),
    maxLength: fc.nat({ max: 12 }),
    min: fc.integer({ min: -5, max: 5 }),
    max: fc.integer({ min: -5, max: 50 }),
    pattern: patterns,
  },
  { requiredKeys: [] },
)

const field: fc.Arbitrary<FieldDefinition> = fc
  .record({
    name: names,
    type: fc.constantFrom(...FIELD_TYPES),
    required: fc.boolean(),
    options,
    validation: fc.option(validation, { nil: undefined, freq: 2 }),
    label: fc.option(fc.string(), { nil: undefined }),
    defaultValue: fc.option(fc.jsonValue(), { nil: undefined }),
  })
  .map(({ validation: limits, label, defaultValue, ...rest }) => ({
    ...rest,
    ...(limits && { validation: limits }),
    ...(label !== undefined && { label }),
    ...(defaultValue !== undefined && { defaultValue }),
  }))

/** Schemas with one to five fields, not all of them usable. */
export const schemas = fc.uniqueArray(field, { minLength: 1, maxLength: 5, selector: ({ name }) => name })

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'B', 'é', '😀', ' ', '1', '-', '\n'), maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 10 }).filter((value) => !value.includes('\0')),
)
const twoDigits = fc.integer({ min: 0, max: 62 }).map((value) => String(value).padStart(2, '0'))
const dates = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') })
    .map((date) => date.toISOString()),
  fc.tuple(fc.integer({ min: 1995, max: 2030 }), twoDigits, twoDigits).map((parts) => parts.join('-')),
  fc
    .tuple(twoDigits, twoDigits, twoDigits, fc.constantFrom('Z', 'z', '+01:00', '-23:59', '+24:00', ''))
    .map(([hour, minute, second, zone]) => `2016-12-31T${hour}:${minute}:${second}${zone}`),
)
const urls = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.ipV6().map((address) => `http://[${address}]/`),
  fc.ipV4Extended().map((address) => `http://${address}:80`),
  fc
    .string({
      unit: fc.constantFrom('a', '1', '.', '/', ':', '@', '%', '4', '[', ']', '?', '#', ' ', '-', '_', '\\', 'ä'),
      maxLength: 10,
    })
    .map((rest) => `http://${rest}`),
)
const emails = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: fc.constantFrom('a', 'B', '1', '.', '@', '-', '_', '+', ' '), maxLength: 10 }),
)
const limitedJson = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .filter((value) => !JSON.stringify(value).includes('\\u0000'))

const anything = fc.oneof(text, dates, urls, emails, limitedJson, fc.constantFrom(null, undefined, '', 0, true, []))

function typicalValue({ type, options: choices = [] }: FieldDefinition): fc.Arbitrary<unknown> {
  const choice = choices.length > 0 ? fc.constantFrom(...choices) : fc.constant('none')
  switch (type) {
    case 'number':
      return fc.oneof(fc.integer({ min: -10, max: 60 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'date':
      return dates
    case 'url':
      return urls
    case 'email':
      return emails
    case 'select':
      return choice
    case 'multi-select':
      return fc.array(choice, { maxLength: 3 })
    case 'tags':
      return fc.array(text, { maxLength: 3 })
    case 'json':
    case 'array':
      return type === 'json' ? limitedJson : fc.array(limitedJson, { maxLength: 3 })
    default:
      return text
  }
}

/** Fields for a schema: mostly of the right type, some wrong, some absent, some unknown. */
export function fieldsOf(schema: readonly FieldDefinition[]): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(
    schema.map((definition) => [
      definition.name,
      fc.oneof({ weight: 6, arbitrary: typicalValue(definition) }, { weight: 1, arbitrary: anything }),
    ]),
  )
  return fc.record({ ...values, unknown: anything }, { requiredKeys: [] })
}
