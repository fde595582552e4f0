import fc from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { thing } from './arbitraries.js'
import { idsOf, plain, putTimes, refill, things, withIds } from './collections.js'

/** Counts JSON parses: a backend that stores text parses every record it reads. */
async function countParsed(work: () => Promise<unknown>): Promise<number> {
  const { parse } = JSON
  let count = 0
  JSON.parse = (...args: Parameters<typeof parse>) => {
    count++
    return parse(...args)
  }
  try {
    await work()
    return count
  } finally {
    JSON.parse = parse
  }
}

export const cursors = storeCases('cursors', [things, plain], {
  'pages neither skip nor repeat a record, even among equal sort values': async (store) => {
    await putTimes(store, things, 23, (index) => ({
      id: `t${String(index).padStart(2, '0')}`,
      rank: index % 3,
      name: index % 2 ? 'odd' : null,
      any: [null, false, 1, 'x', ['list']][index % 5],
    }))
    for (const field of ['rank', 'name', 'any', 'id', 'createdAt']) {
      for (const direction of ['asc', 'desc'] as const) {
        const orderBy = [{ field, direction }]
        const { items } = await store.find(things, { orderBy })
        const whole = items.map((record) => record.id)
        for (const limit of [1, 2, 5, 22, 23, 24]) {
          expect(await idsOf(store, things, { orderBy, limit }), `${field} ${direction} by ${limit}`).toEqual(whole)
        }
      }
    }
  },

  'a page is read without reading all other records': async (store) => {
    const [all, page] = [600, 10]
    await putTimes(store, plain, all, (index) => ({ id: `r${index}`, value: index }))
    const counted = await countParsed(() => store.find(plain, { limit: page }))
    // Most backends read one record ahead, and some a few more; reading the whole table is a failure.
    expect(
      counted,
      `records read for a page of ${page} among ${all}: hand limit and order to the database`,
    ).toBeLessThan(all / 4)
  },

  'the last page has no cursor, even when it is full': async (store) => {
    await store.putMany(plain, withIds('a', 'b', 'c', 'd'))
    const first = await store.find(plain, { limit: 2 })
    expect(first.nextCursor).toEqual(expect.any(String))
    const second = await store.find(plain, { limit: 2, cursor: first.nextCursor as string })
    expect(second.items.map(({ id }) => id)).toEqual(['c', 'd'])
    expect(second.nextCursor).toBeUndefined()
    expect((await store.find(plain, { where: { id: 'nobody' } })).nextCursor).toBeUndefined()
  },

  'a cursor of another query, or a damaged one, is refused': async (store) => {
    const records = ['a', 'b', 'c'].map((id) => ({ id, rank: 1 }))
    await store.putMany(things, records)
    const { nextCursor = '' } = await store.find(things, { where: { rank: 1 }, limit: 1 })
    for (const cursor of ['', 'x', '%%%', `${nextCursor}x`, nextCursor.slice(2), 'W10', 'e30']) {
      await failure(store.find(things, { where: { rank: 1 }, limit: 1, cursor }), 'INVALID_CURSOR')
    }
    await failure(store.find(things, { where: { rank: 2 }, cursor: nextCursor }), 'INVALID_CURSOR')
    await failure(
      store.find(things, { where: { rank: 1 }, orderBy: [{ field: 'rank' }], cursor: nextCursor }),
      'INVALID_CURSOR',
    )
    await failure(store.find(plain, { cursor: nextCursor }), 'INVALID_CURSOR')
    const page = await store.find(things, { where: { rank: 1 }, limit: 2, cursor: nextCursor })
    expect(page.items.map(({ id }) => id)).toEqual(['b', 'c'])
  },

  'records whose sort values do not change are seen exactly once while others come and go': async (store) => {
    const id = fc.integer({ min: 100, max: 199 }).map(String)
    const field = fc.constantFrom('rank', 'name', 'any', 'id')
    const direction = fc.constantFrom('asc' as const, 'desc' as const)
    const property = fc.asyncProperty(
      fc.uniqueArray(thing(id), { selector: (record) => record.id, minLength: 6, maxLength: 20 }),
      fc.record({ field, direction }),
      fc.infiniteStream(fc.tuple(fc.nat(30), thing(id))),
      async (records, term, changes) => {
        await refill(store, things, records)
        const seen: unknown[] = []
        const disturbed = new Set<unknown>()
        let cursor: string | undefined
        do {
          const page = await store.find(things, { orderBy: [term], limit: 3, ...(cursor && { cursor }) })
          seen.push(...page.items.map((record) => record.id))
          cursor = page.nextCursor
          for (let count = 0; count < 3; count++) {
            const [choice, record] = changes.next().value as [number, (typeof records)[number]]
            const existing = records[choice]
            if (existing) {
              // A change that leaves the sort values alone must not be noticed.
              await store.put(things, { ...existing, note: 'changed' })
            } else if (!records.some((other) => other.id === record.id)) {
              disturbed.add(record.id)
              if (choice % 2) await store.put(things, record)
              else await store.delete(things, record.id as string)
            }
          }
        } while (cursor !== undefined)
        const stayed = seen.filter((seenId) => !disturbed.has(seenId)).sort()
        expect(stayed).toEqual(records.map((record) => record.id).sort())
      },
    )
    await fc.assert(property, budget(20))
  },

  'iterating goes through everything, in pages': async (store) => {
    const ids = times(2500, (index) => `t${String(index).padStart(4, '0')}`)
    const records = ids.map((id, index) => ({
      id,
      createdAt: `2026-01-01T00:00:00.${String(index % 7).padStart(3, '0')}Z`,
    }))
    await store.putMany(things, records)
    const seen = await idsOf(store, things)
    expect(seen).toHaveLength(2500)
    expect(new Set(seen).size).toBe(2500)
    expect(await idsOf(store, things, { orderBy: [{ field: 'id' }], limit: 700 })).toEqual(ids)
  },
})
