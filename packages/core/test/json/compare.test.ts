import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareCodePoints, compareScalars, type JsonScalar, jsonEqual } from '../../src/json/index.js'

fc.configureGlobal({ seed: 8785 })

// Strings that share prefixes and cross the borders between the surrogates and their neighbours.
const tricky = fc
  .array(fc.constantFrom('', 'a', 'b', '\u0001', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10001}', '\u{10ffff}'))
  .map((parts) => parts.join(''))
const text = fc.oneof(tricky, fc.string({ unit: 'binary' }))

describe('compareCodePoints', () => {
  it('agrees with a comparison of the code points', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(byCodePoint(a, b)))
      }),
      { numRuns: 2000 },
    )
  })

  it('puts U+FFFD before U+1F600, unlike <', () => {
    expect('\ufffd' < '😀').toBe(false)
    expect(compareCodePoints('\ufffd', '😀')).toBeLessThan(0)
  })
})

describe('compareScalars', () => {
  const scalar = fc.oneof(fc.constant(null), fc.constant(undefined), fc.boolean(), fc.double({ noNaN: true }), text)

  it('orders missing and null, booleans, numbers, strings', () => {
    const values: JsonScalar[] = ['b', 10, true, 'a', null, -1, false, '10', 9]
    expect(values.sort(compareScalars)).toEqual([null, false, true, -1, 9, 10, '10', 'a', 'b'])
    expect(compareScalars(undefined, null)).toBe(0)
  })

  it('is a total order', () => {
    fc.assert(
      fc.property(scalar, scalar, scalar, (a, b, c) => {
        expect(Math.sign(compareScalars(a, b)) + Math.sign(compareScalars(b, a))).toBe(0)
        expect(compareScalars(a, a)).toBe(0)
        if (compareScalars(a, b) <= 0 && compareScalars(b, c) <= 0) expect(compareScalars(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 500 },
    )
  })
})

describe('jsonEqual', () => {
  it('ignores the order of keys and looks at own properties only', () => {
    expect(jsonEqual({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true)
    expect(jsonEqual({ toString: 1 }, { valueOf: 1 })).toBe(false)
    expect(jsonEqual(JSON.parse('{"__proto__":1}'), {})).toBe(false)
    expect(jsonEqual([1], { 0: 1 })).toBe(false)
    expect(jsonEqual([], {})).toBe(false)
    expect(jsonEqual(null, {})).toBe(false)
    expect(jsonEqual('1', 1)).toBe(false)
  })

  it('agrees with the test framework', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        const copy = JSON.parse(JSON.stringify(a))
        expect(jsonEqual(copy, JSON.parse(JSON.stringify(copy)))).toBe(true)
        expect(jsonEqual(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b) || equals(a, b))
      }),
    )
  })
})

function equals(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b)
    return true
  } catch {
    return false
  }
}

function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) as number)
  const right = Array.from(b, (character) => character.codePointAt(0) as number)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] as number) - (right[index] as number)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
