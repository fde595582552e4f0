import { describe, expect, it } from 'vitest'
import { newMessageId } from '../../src/bus/new-message-id.js'

describe('a new id', () => {
  it('is a UUID v4, and never the same', () => {
    const ids = Array.from({ length: 20_000 }, newMessageId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has every digit in every free place', () => {
    const seen = Array.from({ length: 36 }, () => new Set<string>())
    for (let count = 0; count < 2000; count++) {
      for (const [place, digit] of [...newMessageId()].entries()) seen[place]?.add(digit)
    }
    const expected = seen.map((_, place) => ([8, 13, 14, 18, 23].includes(place) ? 1 : place === 19 ? 4 : 16))
    expect(seen.map(({ size }) => size)).toEqual(expected)
  })
})
