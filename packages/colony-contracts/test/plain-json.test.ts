import { copyJson, inKeyOrder, MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@minions/core/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainJson } from '../src/validation/plain-json.js'

const isPlain = (value: object) => isPlainJson(value, new Map())

/** The budget of the fast path: a sixteenth of what a record may have. */
const UNITS = MAX_RECORD_BYTES / 16

function nested(depth: number, wrap: (inner: unknown) => object): object {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = wrap(value)
  return { value }
}

describe('the quick way for plain JSON', () => {
  it('accepts only what would be copied unchanged', () => {
    const value = fc.anything({
      withNullPrototype: true,
      withSparseArray: true,
      withDate: true,
      maxDepth: 2,
      maxKeys: 3,
    })
    const hostile = fc.constantFrom('\0', '\ud800', Number.NaN, Number.POSITIVE_INFINITY, () => 1, new Map())
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(value, hostile), { maxKeys: 3 })
    fc.assert(
      fc.property(object, (given) => {
        if (isPlain(given)) expect(JSON.stringify(copyJson(given))).toBe(JSON.stringify(inKeyOrder(given)))
      }),
    )
  })

  it.each<[string, (inner: unknown) => object]>([
    ['objects', (inner) => ({ inner })],
    ['lists', (inner) => [inner]],
  ])('goes into %s as deep as a record may be, and no deeper', (_, wrap) => {
    expect(isPlain(nested(MAX_RECORD_DEPTH - 1, wrap))).toBe(true)
    expect(isPlain(nested(MAX_RECORD_DEPTH, wrap))).toBe(false)
    expect(() => copyJson(nested(MAX_RECORD_DEPTH - 1, wrap))).not.toThrow()
    expect(() => copyJson(nested(MAX_RECORD_DEPTH, wrap))).toThrow()
  })

  it.each([[null], [true], [7], ['x'], [[]], [{}]])('counts every %j against its budget', (element) => {
    const list = (length: number) => ({ v: new Array(length).fill(element) })
    expect(isPlain(list(UNITS / 2))).toBe(true)
    expect(isPlain(list(UNITS))).toBe(false)
  })

  it('counts names and texts by their length, and properties together', () => {
    const half = 'x'.repeat(UNITS / 2)
    expect(isPlain({ a: half, b: 'y' })).toBe(true)
    expect(isPlain({ a: half, b: half })).toBe(false)
    expect(isPlain({ [`${half}x`]: half })).toBe(false)
    expect(isPlain({ a: { [`${half}x`]: half } })).toBe(false)
    expect(isPlain({ a: { b: half, c: half } })).toBe(false)
  })

  it.each([
    ['a class', { a: new Date() }],
    ['an object without a prototype', { a: Object.create(null) }],
    ['a lone surrogate', { a: '\ud800' }],
    ['U+0000', { a: ['\0'] }],
    ['such a name', { a: { '\0': 1 } }],
    ['such a name of its own', { '\0': 1 }],
    ['NaN', { a: Number.NaN }],
    ['a gap', { a: new Array(1) }],
    ['undefined', { a: undefined }],
    ['a function', { a: () => 1 }],
    ['a prototype with properties', Object.create({ a: 1 })],
    ['no prototype', Object.create(null)],
  ])('leaves %s to the careful way', (_, value) => {
    expect(isPlain(value)).toBe(false)
  })

  it('does not look at what the contract closes, unless it is undefined, nor at the names that it knows', () => {
    const known = new Map([
      ['closed', 'closed'],
      ['open', 'open'],
    ] as const)
    expect(isPlainJson({ closed: '\0', open: 'x' }, known)).toBe(true)
    expect(isPlainJson({ closed: undefined }, known)).toBe(false)
    expect(isPlainJson({ open: '\0' }, known)).toBe(false)
  })
})
