import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileSchema, schemaProblems } from '../../src/index.js'
import { isValidInModel } from '../support/schema-model.js'

const names = fc.constantFrom('a', 'b', 'c')
const leaves = fc.constantFrom<Part>(true, false, { const: 1 }, { const: 'x' }, { type: 'number' })

type Part = boolean | Readonly<Record<string, unknown>>

/** One keyword with its value; a schema is made of a few. */
function keyword(name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<[string, unknown]> {
  return value.map((value) => [name, value])
}

function schemaOf(part: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  const parts = fc.array(part, { minLength: 1, maxLength: 2 })
  const map = fc.dictionary(names, part, { maxKeys: 2 })
  const keywords = [
    keyword(
      '$ref',
      names.map((name) => `#/$defs/${name}`),
    ),
    keyword('type', fc.constantFrom('object', 'array', 'number', 'string')),
    keyword('required', fc.uniqueArray(names, { maxLength: 1 })),
    ...['properties', 'dependentSchemas'].map((name) => keyword(name, map)),
    keyword('patternProperties', fc.dictionary(fc.constantFrom('^a', '[bc]'), part, { maxKeys: 1 })),
    ...['prefixItems', 'allOf', 'anyOf', 'oneOf'].map((name) => keyword(name, parts)),
    ...['additionalProperties', 'items', 'contains', 'not', 'then', 'else'].map((name) => keyword(name, part)),
    ...['unevaluatedProperties', 'unevaluatedItems', 'if'].map((name) => keyword(name, part)),
  ]
  const selector = ([name]: [string, unknown]) => name
  return fc.uniqueArray(fc.oneof(...keywords), { selector, minLength: 1, maxLength: 4 }).map(Object.fromEntries)
}

const small = fc.oneof(leaves, schemaOf(leaves))
const medium = fc.oneof(leaves, schemaOf(small))
const schemas = fc
  .tuple(schemaOf(medium), fc.record({ a: schemaOf(leaves), b: schemaOf(small), c: schemaOf(small) }))
  .map(([schema, $defs]) => ({ ...(schema as object), $defs }))

const scalars = fc.constantFrom<unknown>(0, 1, 'x')
const values = (inner: fc.Arbitrary<unknown>) =>
  fc.oneof(fc.array(inner, { maxLength: 3 }), fc.dictionary(names, inner, { maxKeys: 3 }))
const value = fc.oneof(scalars, values(scalars), values(fc.oneof(scalars, values(scalars))))

it('agrees with a plain reading of draft 2020-12 on every schema that it accepts', () => {
  let accepted = 0
  const verdicts = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(schemas, fc.array(value, { minLength: 5, maxLength: 10 }), (schema, values) => {
      if (schemaProblems(schema).length > 0) return
      accepted++
      const { validate } = compileSchema(schema)
      for (const value of values) {
        const expected = isValidInModel(schema, value)
        expect(validate(value).length === 0, JSON.stringify(value)).toBe(expected)
        verdicts[expected ? 'valid' : 'invalid']++
      }
    }),
    { numRuns: 150, seed: 18 },
  )
  expect(accepted).toBeGreaterThan(75)
  expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(100)
})
