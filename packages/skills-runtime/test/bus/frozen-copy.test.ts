import { copyJson } from '@minions/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frozenCopy } from '../../src/bus/frozen-copy.js'

describe('frozenCopy', () => {
  it('copies what copyJson copies, and refuses what it refuses', () => {
    const odd = fc.constantFrom<unknown>(
      -0,
      Number.NaN,
      '\ud800',
      'a\0',
      undefined,
      () => 1,
      new Date(0),
      'x'.repeat(2000),
    )
    const keys = fc.constantFrom('a', '', '__proto__', 'constructor', '\ud800', 'toString')
    const value = fc.oneof({ weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) }, odd)
    const payloads = fc.dictionary(keys, value, { noNullPrototype: false })
    fc.assert(
      fc.property(payloads, (payload) => {
        const outcome = (copy: () => unknown) => {
          try {
            return JSON.stringify(copy())
          } catch (error) {
            return (error as { code: string }).code
          }
        }
        expect(outcome(() => frozenCopy(payload))).toBe(outcome(() => copyJson(payload)))
      }),
      { numRuns: 2000, seed: 2110 },
    )
  })

  it('freezes all the way down and shares nothing', () => {
    const payload = { a: 1, deep: { list: [{ b: 2 }] } }
    const copy = frozenCopy(payload) as typeof payload
    payload.deep.list.push({ b: 3 })
    expect(copy).toEqual({ a: 1, deep: { list: [{ b: 2 }] } })
    expect([copy, copy.deep, copy.deep.list, copy.deep.list[0]].every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(frozenCopy({ a: 1 }))).toBe(true)
    expect(Object.is((frozenCopy({ zero: -0 }) as { zero: number }).zero, 0)).toBe(true)
  })

  it('takes many properties', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]))
    expect(frozenCopy(many)).toEqual(many)
  })
})
