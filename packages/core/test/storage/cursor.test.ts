import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/storage/cursor.js'
import { planQuery } from '../../src/storage/plan-query.js'
import { things } from './declarations.js'

const { declaration } = things
const plan = planQuery(declaration, { where: { name: 'x' }, orderBy: [{ field: 'rank' }, { field: 'any' }] })

const invalid = expect.objectContaining({ code: 'INVALID_CURSOR' })

describe('a cursor', () => {
  it('gives back the sort values and the key, whatever they are', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    )
    const property = fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), scalar, scalar, (key, rank, any) => {
      const cursor = encodeCursor(declaration.name, plan, { key, revision: 'r', record: { rank, any } })
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      const values = [rank, any].map((value) => (value === 0 ? 0 : value))
      expect(decodeCursor(cursor, declaration.name, plan)).toEqual({ key, values })
    })
    fc.assert(property, { numRuns: 200, seed: 1 })
  })

  it('counts lists, objects and missing values as null', () => {
    const cursor = encodeCursor(declaration.name, plan, { key: 'k', revision: 'r', record: { any: [1] } })
    expect(decodeCursor(cursor, declaration.name, plan).values).toEqual([null, null])
  })

  it('belongs to one question, whatever its limit', () => {
    const last = { key: 'k', revision: 'r', record: { rank: 1 } }
    const cursor = encodeCursor(declaration.name, plan, last)
    expect(decodeCursor(cursor, declaration.name, { ...plan, limit: 7 }).key).toBe('k')
    const others = [
      { ...plan, words: ['x'] },
      { ...plan, keyDirection: 'desc' as const },
      { ...plan, order: plan.order.slice(0, 1) },
      { ...plan, order: [...plan.order].reverse() },
      planQuery(declaration, { where: { name: 'y' }, orderBy: [{ field: 'rank' }, { field: 'any' }] }),
    ]
    for (const other of others) expect(() => decodeCursor(cursor, declaration.name, other)).toThrow(invalid)
    expect(() => decodeCursor(cursor, 'others', plan)).toThrow(invalid)
  })

  it('is refused when it was changed', () => {
    const cursor = encodeCursor(declaration.name, plan, { key: 'k', revision: 'r', record: { rank: 1, any: 'é' } })
    for (const bad of ['', '!', cursor.slice(1), cursor.slice(0, -3), `${cursor}AAAA`, 'bnVsbA', 'W10', 5 as never]) {
      expect(() => decodeCursor(bad, declaration.name, plan)).toThrow(invalid)
    }
    const [hash] = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as string[]
    for (const forged of [[hash], [hash, 5, 1, 2], [hash, 'k', 1], [hash, 'k', 1, {}], [hash, 'k', 1, 2, 3]]) {
      expect(() => decodeCursor(btoa(JSON.stringify(forged)), declaration.name, plan)).toThrow(invalid)
    }
  })
})
