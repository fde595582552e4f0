import { defineCollection, newRevision } from '@minions/core/storage'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Table } from '../src/names.ts'
import { Rows } from '../src/rows.ts'

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\u0001', '\ud800', '</script>', '🌊'))
const value = fc.option(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()))

it.each([0, 1, 5, 40])('a row of %i columns and references is the JSON of its values', (size) => {
  const names = Array.from({ length: size }, (_, index) => `n${index}`)
  const { declaration } = defineCollection({
    name: 'rows',
    version: 1,
    schema: { type: 'object' },
    key: 'id',
    columns: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    references: names.map((name) => ({ columns: [name], collection: 'rows' })),
    text: 'id',
  })
  const rows = new Rows(new Table('minions', declaration))
  const values = fc.array(value, { minLength: size, maxLength: size })
  const targets = fc.array(fc.option(text), { minLength: size, maxLength: size })
  const expected = fc.constantFrom(undefined, null, newRevision())
  fc.assert(
    fc.property(text, values, targets, fc.dictionary(text, value), fc.array(text), expected, (...given) => {
      const [key, columns, references, record, words, expect_] = given
      const revision = newRevision()
      const write = {
        key,
        revision,
        record,
        columns,
        references,
        words,
        ...(expect_ !== undefined && { expect: expect_ }),
      }
      const members = [
        ['key', key],
        ['revision', revision],
        ['doc', record],
        ['expect', expect_],
        ['words', words.join(' ')],
        ...columns.map((each, index) => [`c${index}`, each]),
        ...references.map((each, index) => [`r${index}`, each]),
      ]
      const present = members.filter(([, member]) => member !== null && member !== undefined)
      expect(rows.toJson(write)).toBe(JSON.stringify(Object.fromEntries(present)))
    }),
    { numRuns: 100, seed: 11 },
  )
})
