import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schemaIssues } from '../../src/schemas/index.js'
import { generateCheck } from '../../src/validation/generate.js'
import { LINEAR } from '../../src/validation/matchers.js'
import { copySchema, readSchema } from '../../src/validation/read-schema.js'
import { RuleCompiler } from '../../src/validation/rules.js'
import { Run } from '../../src/validation/run.js'
import { isValidInModel } from './schema-model.js'

const names = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__')
const types = fc.constantFrom('object', 'array', 'number', 'integer', 'string', 'null')
const scalars = fc.constantFrom<unknown>(0, 1, 1.5, 'x', 'xx', null)
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
      fc.constantFrom('a', 'b', 'c').map((name) => `#/$defs/${name}`),
    ),
    keyword('type', fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
    keyword('enum', fc.uniqueArray(scalars, { maxLength: 3 })),
    keyword('required', fc.uniqueArray(names, { maxLength: 2 })),
    ...['minimum', 'exclusiveMaximum', 'minLength', 'maxItems', 'maxProperties', 'minContains'].map((name) =>
      keyword(name, fc.nat({ max: 2 })),
    ),
    keyword('pattern', fc.constantFrom('x', '^$', '^x{2}$')),
    keyword('uniqueItems', fc.boolean()),
    keyword('dependentRequired', fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 1 })),
    ...['properties', 'dependentSchemas'].map((name) => keyword(name, map)),
    keyword('patternProperties', fc.dictionary(fc.constantFrom('^a', '[bc]'), part, { maxKeys: 1 })),
    ...['prefixItems', 'allOf', 'anyOf', 'oneOf'].map((name) => keyword(name, parts)),
    ...['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'then', 'else'].map((name) =>
      keyword(name, part),
    ),
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

const values = (inner: fc.Arbitrary<unknown>) =>
  fc.oneof(fc.array(inner, { maxLength: 3 }), fc.dictionary(names, inner, { maxKeys: 3 }))
const value = fc.oneof(scalars, values(scalars), values(fc.oneof(scalars, values(scalars))))

it('agrees with a plain reading of draft 2020-12 on every schema that it accepts, by rules and by generated code', () => {
  let accepted = 0
  const verdicts = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(schemas, fc.array(value, { minLength: 5, maxLength: 10 }), (schema, values) => {
      if (schemaIssues(schema).length > 0) return
      accepted++
      const { byIssues, byRules, generated } = validatorsOf(schema)
      for (const value of values) {
        const expected = isValidInModel(schema, value)
        expect([byIssues(value), byRules(value), generated(value)], JSON.stringify(value)).toEqual([
          expected,
          expected,
          expected,
        ])
        verdicts[expected ? 'valid' : 'invalid']++
      }
    }),
    { numRuns: 300, seed: 18 },
  )
  expect(accepted).toBeGreaterThan(150)
  expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(200)
})

/** The three ways to a verdict: no issue, no broken rule, and generated code. */
function validatorsOf(input: object) {
  const normalized = readSchema(copySchema(input, {}).schema, {})
  const compiler = new RuleCompiler(normalized, LINEAR)
  const rule = compiler.rule(normalized)
  const check = generateCheck(normalized, LINEAR, compiler)
  return {
    byIssues: (value: unknown) => {
      const run = new Run([])
      return rule(value, run) && run.issues?.length === 0
    },
    byRules: (value: unknown) => rule(value, new Run()),
    generated: (value: unknown) => check?.(value) === true,
  }
}
