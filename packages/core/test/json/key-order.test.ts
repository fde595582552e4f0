import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inKeyOrder, type JsonValue } from '../../src/json/index.js'

/** The same in the plainest way: everything is copied, the names of each object after sorting. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value) as [string, JsonValue][]
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]): [string, JsonValue] => [name, plain(member)]),
  )
}

const name = fc.oneof(fc.constantFrom('__proto__', '2', '10', 'b', 'aa', 'B', '', 'é', '\ud800'), fc.string())

const json = (size: number) =>
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string()) as fc.Arbitrary<JsonValue>,
      fc.array(tie('value'), { maxLength: size }) as fc.Arbitrary<JsonValue>,
      fc
        .array(fc.tuple(name, tie('value')), { maxLength: size })
        .map((entries) => Object.fromEntries(entries) as JsonValue),
    ),
  })).value

describe('inKeyOrder', () => {
  it.each([1, 3, 10, 40])('gives what sorting everything would, with up to %i members each', (size) => {
    fc.assert(
      fc.property(json(size), (value) => {
        const before = JSON.stringify(value)
        const result = inKeyOrder(value)
        expect(JSON.stringify(result)).toBe(JSON.stringify(plain(value)))
        expect(result).toEqual(value)
        expect(JSON.stringify(value)).toBe(before)
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('returns parts that are in order as they are', () => {
    const inner = { a: 1, b: [{ c: 1 }] }
    expect(inKeyOrder(inner)).toBe(inner)
    const mixed = inKeyOrder({ x: { b: 1, a: 2 }, inner })
    expect(mixed.inner).toBe(inner)
    expect(JSON.stringify(inKeyOrder([inner, { b: 1, a: [] }]))).toBe(`[${JSON.stringify(inner)},{"a":[],"b":1}]`)
  })
})
