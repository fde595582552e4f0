import { generateId } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { copyJson } from '@minions/core/json'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeMessage } from '../../src/bus/message/compose-message.js'

const compose = (payload: object) => composeMessage('topic', null, payload as JsonObject, 'event', {}, generateId, 0)

/** The payload of a message that is made of one. */
const frozenCopy = (payload: object): object => compose(payload).payload

describe('the payload of a message', () => {
  it('is what copyJson copies, and is refused as it refuses', () => {
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

  it('is frozen all the way down and shares nothing', () => {
    const payload = { a: 1, deep: { list: [{ b: 2 }] } }
    const copy = frozenCopy(payload) as typeof payload
    payload.deep.list.push({ b: 3 })
    expect(copy).toEqual({ a: 1, deep: { list: [{ b: 2 }] } })
    expect([copy, copy.deep, copy.deep.list, copy.deep.list[0]].every(Object.isFrozen)).toBe(true)
    expect(Object.isFrozen(frozenCopy({ a: 1 }))).toBe(true)
    expect(Object.is((frozenCopy({ zero: -0 }) as { zero: number }).zero, 0)).toBe(true)
  })

  it('may have many properties', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]))
    expect(frozenCopy(many)).toEqual(many)
  })
})

describe('the id of a message', () => {
  it('is a UUID v4, and never the same', () => {
    const ids = Array.from({ length: 1000 }, () => compose({}).message_id)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
