import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredRecord } from '../../src/storage/backend.js'
import { decodeCursor, encodeCursor } from '../../src/storage/cursor.js'
import { planQuery } from '../../src/storage/plan-query.js'
import { things } from './declarations.js'

const { declaration } = things
const query = { where: { name: 'x' }, orderBy: [{ field: 'rank' }, { field: 'any' }] }
const plan = planQuery(things, query)
const encode = (last: StoredRecord) => encodeCursor(declaration.name, query, plan, last)
const decode = (cursor: string) => decodeCursor(cursor, declaration.name, query, plan)

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
      const cursor = encode({ key, revision: 'r', record: { rank, any } })
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      const values = [rank, any].map((value) => (value === 0 ? 0 : value))
      expect(decode(cursor)).toEqual({ key, values })
    })
    fc.assert(property, { numRuns: 200, seed: 1 })
  })

  it('counts lists, objects and missing values as null', () => {
    const cursor = encode({ key: 'k', revision: 'r', record: { any: [1] } })
    expect(decode(cursor).values).toEqual([null, null])
  })

  it('belongs to one query, whatever its limit', () => {
    const last = { key: 'k', revision: 'r', record: { rank: 1 } }
    const cursor = encode(last)
    expect(planQuery(things, { ...query, limit: 7, cursor }).after?.key).toBe('k')
    const others = [
      { ...query, text: 'x' },
      { ...query, orderBy: [{ field: 'rank' }] },
      { ...query, orderBy: [...query.orderBy].reverse() },
      { ...query, orderBy: [{ field: 'rank' }, { field: 'any', direction: 'desc' as const }] },
      { ...query, where: { name: 'y' } },
    ]
    for (const other of others) expect(() => planQuery(things, { ...other, cursor })).toThrow(invalid)
    expect(() => decodeCursor(cursor, 'others', query, plan)).toThrow(invalid)
  })

  it('is refused when it was changed', () => {
    const cursor = encode({ key: 'k', revision: 'r', record: { rank: 1, any: 'é' } })
    for (const bad of ['', '!', cursor.slice(1), cursor.slice(0, -3), `${cursor}AAAA`, 'bnVsbA', 'W10', 5 as never]) {
      expect(() => decode(bad)).toThrow(invalid)
    }
    const [hash] = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as string[]
    for (const forged of [[hash], [hash, 5, 1, 2], [hash, 'k', 1], [hash, 'k', 1, {}], [hash, 'k', 1, 2, 3]]) {
      expect(() => decode(btoa(JSON.stringify(forged)))).toThrow(invalid)
    }
  })
})
