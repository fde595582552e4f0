// @ts-check
import { expect, test } from 'vitest'
import { mutantsOf } from '../mutate/mutants.mjs'

/** @param {string} source */
const mutated = (source) =>
  mutantsOf('a.ts', source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end))

test('operators, conditions, negations, calls, flags and small numbers are changed, one at a time', () => {
  expect(mutated('const a = b === c')).toEqual(['const a = b !== c'])
  expect(mutated('const a = (b + d) <= c')).toEqual(
    expect.arrayContaining(['const a = (b - d) <= c', 'const a = (b + d) < c']),
  )
  expect(mutated('if (a) b()')).toEqual(expect.arrayContaining(['if (true) b()', 'if (false) b()', 'if (a) ']))
  expect(mutated('const a = !b')).toEqual(['const a = b'])
  expect(mutated('const a = true')).toEqual(['const a = false'])
  expect(mutated('const a = b ?? 0')).toEqual(expect.arrayContaining(['const a = b && 0', 'const a = b ?? 1']))
})

test('texts, types and what is the same are left alone', () => {
  expect(mutated("const a = 'text'")).toEqual([])
  expect(mutated('interface A { readonly b: true }')).toEqual([])
  expect(mutated('if (true) {}')).toEqual(['if (false) {}', 'if (false) {}'])
})
