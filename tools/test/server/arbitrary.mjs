// @ts-check
import fc from 'fast-check'

/** @typedef {Record<string, any>} Schema a JSON Schema, as operations have them */
/** @typedef {fc.Arbitrary<unknown>} Values */

/** Names that exist, so that some requests find something. */
const KNOWN = ['note-1', 'Greeting', 'prompt-1', 'test-1', 'note', 'task', 'ada', 'acme', '1', 'start']

const anything = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  fc.constantFrom('', null, 0, -1, 1e308, [], {}, '__proto__', 'constructor', '\u0000', '\ud800', '../../etc/passwd'),
  fc.integer({ min: 10, max: 200 }).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
  fc.integer({ min: 1, max: 4 }).map((size) => 'x'.repeat(10 ** size)),
)

/** The examples of how long to wait are longer than a test wants to. */
const WAIT = fc.integer({ min: 0, max: 20 })

/** Reading the patterns of a schema takes longer than all requests, and each schema is used for many. @type {WeakMap<Schema, Values>} */
const known = new WeakMap()

/**
 * Values that fit a schema, nearly always; where a keyword is not known here they may not.
 *
 * @param {Schema} schema
 * @returns {Values}
 */
export function valid(schema) {
  const values = known.get(schema) ?? valuesOf(schema)
  known.set(schema, values)
  return values
}

/** @param {Schema} schema @returns {Values} */
function valuesOf(schema) {
  const { type, enum: values, const: constant, anyOf, oneOf, items, examples, $ref, $defs } = schema
  if (typeof $ref === 'string') return $defs?.[$ref] ? valid($defs[$ref]) : anything
  if (constant !== undefined) return fc.constant(constant)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(anyOf ?? oneOf) && type === undefined) return fc.oneof(...(anyOf ?? oneOf).map(valid))
  const given = Array.isArray(examples) && examples.length > 0 ? [fc.constantFrom(...examples)] : []
  switch (type) {
    case 'string':
      return fc.oneof(...given, text(schema))
    case 'integer':
      return fc.oneof(...given, fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 200, 200) }))
    case 'number':
      return fc.oneof(...given, fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 200, noNaN: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema
      const element = Array.isArray(items) || items === undefined ? anything : valid(items)
      return fc.oneof(
        ...given,
        fc.array(element, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) }),
      )
    }
    case 'object':
      return fc.oneof(...given, objects(schema))
    default:
      return fc.oneof(...given, anything)
  }
}

/**
 * Values of which something is wrong: a property is missing, of another type or not known, or the whole is something else.
 *
 * @param {Schema} schema of an object
 * @returns {Values}
 */
export function wrong(schema) {
  const names = Object.keys(schema.properties ?? {})
  const name = names.length > 0 ? fc.constantFrom(...names, 'typo', '__proto__', 'toString') : fc.constantFrom('typo')
  const changed = fc
    .tuple(valid(schema), name, fc.option(anything, { nil: undefined }))
    .map(([value, property, other]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const copy = /** @type {Record<string, unknown>} */ ({ ...value })
      if (other === undefined) delete copy[property]
      else Object.defineProperty(copy, property, { value: other, enumerable: true, configurable: true, writable: true })
      return copy
    })
  return fc.oneof({ weight: 4, arbitrary: changed }, anything)
}

/** @param {Schema} schema @returns {Values} */
function text({ pattern, minLength = 0, maxLength = 50 }) {
  const free = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 50)), unit: 'grapheme' })
  const known = fc.constantFrom(...KNOWN)
  if (typeof pattern !== 'string') return fc.oneof(known, free)
  return fc.oneof(known, fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?:/g, '('))))
}

/** @param {Schema} schema @returns {Values} */
function objects({ properties = {}, required = [], patternProperties, additionalProperties }) {
  const known = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, name === 'wait' ? WAIT : valid(schema)]),
    ),
    { requiredKeys: required.filter((/** @type {string} */ name) => name in properties) },
  )
  const [more] = Object.values(patternProperties ?? {})
  if (more === undefined && typeof additionalProperties !== 'object') return known
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), valid(more ?? additionalProperties), { maxKeys: 3 })
}
