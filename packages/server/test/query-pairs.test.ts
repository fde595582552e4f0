import fc from 'fast-check'
import { expect, test } from 'vitest'
import { queryPairs } from '../src/http/query-pairs.js'

/** Pieces that queries are made of, whether or not they have to be decoded. */
const piece = fc.oneof(
  fc.constantFrom(
    '&',
    '=',
    '?',
    '#',
    ';',
    '+',
    '%',
    '%20',
    '%2B',
    '%ff',
    '%zz',
    '&&',
    '==',
    '.',
    '~',
    '-',
    "'",
    '"',
    ' ',
  ),
  fc.constantFrom('id', 'limit', '__proto__', 'constructor', '0'),
  fc.string(),
  fc.string({ unit: 'grapheme' }),
)
const query = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('a query is read like URLSearchParams reads it', () => {
  fc.assert(
    fc.property(query, (text) => {
      // What it is given begins with the question mark, which it leaves out.
      expect(queryPairs(text)).toEqual([...new URLSearchParams(`?${text}`)])
    }),
    { numRuns: 5000 },
  )
})
