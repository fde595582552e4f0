import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDefaults, createMinion, type FieldDefinition } from '../../src/index.js'
import { copyJson, jsonProblem } from '../../src/json/index.js'
import { isAbsent } from '../../src/schemas/index.js'
import { fieldsOf, schemas } from '../fields/arbitraries.js'
import { fieldCodesInModel } from '../fields/fields-model.js'

const rare = fc.constantFrom<unknown>(
  'a\0',
  '\ud800',
  ['a', '\udc00'],
  ['\0'],
  0,
  -0,
  Number.NaN,
  Object.assign(new Array(2), { 1: 'a' }),
  ['a', 5],
  [''],
)

/** The errors and fields of a new minion, value by value: what a field allows, and what JSON or a database can hold. */
function inModel(fields: Record<string, unknown>, schema: readonly FieldDefinition[]) {
  const names = new Set(schema.map(({ name }) => name))
  const given = Object.entries(applyDefaults(fields, { schema })).filter(
    ([name, value]) => value !== undefined && !(names.has(name) && isAbsent(value)),
  )
  const codes = fieldCodesInModel(Object.fromEntries(given), schema)
  const refused = given.filter(([, value]) => jsonProblem(value)).map(([name]) => name)
  const unreported = refused.filter((name) => !codes.some((code) => code.startsWith(`${name}:`))).sort()
  return {
    codes: [...codes, ...unreported.map((name) => `${name}:json`)],
    fields: Object.fromEntries(
      given.filter(([name]) => !refused.includes(name)).map(([name, value]) => [name, copyJson(value)]),
    ),
  }
}

describe('the fields of a new minion', () => {
  it.each([0, 1, 20])('are checked and copied as a plain model does it, with up to %i more', (maxKeys) => {
    const verdicts = { valid: 0, invalid: 0 }
    const others = fc.dictionary(fc.string({ maxLength: 4 }), fc.oneof(rare, fc.string(), fc.integer()), { maxKeys })
    const typed = schemas.chain((schema) => {
      const names = fc.constantFrom(...schema.map(({ name }) => name))
      const odd = fc.option(fc.tuple(names, rare), { nil: undefined, freq: 3 })
      const list = fc.array(fc.tuple(fieldsOf(schema), others, odd), { minLength: 10, maxLength: 20 })
      return fc.tuple(fc.constant(schema), list)
    })
    fc.assert(
      fc.property(typed, ([schema, list]) => {
        const type = { id: 'typed', name: 'Typed', slug: 'typed', schema }
        // By rules at first, and by generated code once the schema has been used often.
        for (let round = 0; round < 6; round++) {
          for (const [known, more, odd] of list) {
            const fields = { ...more, ...known, ...(odd && { [odd[0]]: odd[1] }) }
            const { minion, validation } = createMinion({ title: 'A', fields }, type)
            const codes = validation.errors.map(({ field, code }) => `${field}:${code}`)
            expect({ codes, fields: minion.fields }).toEqual(inModel(fields, schema))
            verdicts[validation.valid ? 'valid' : 'invalid']++
          }
        }
      }),
      { numRuns: 15, seed: 5 },
    )
    expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(100)
  })
})
