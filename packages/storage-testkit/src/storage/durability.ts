import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { accounts, idsOf, owners, pets, things, withIds } from './collections.js'

/** The contents of a store after it was closed and opened again. */
export const durability = storeCases('durability', [things, accounts, owners, pets], {
  'records, revisions, columns, lists and text are preserved': async (store, context) => {
    await store.putMany(things, [
      { id: 'a', name: 'x', rank: 1.5, done: true, labels: ['l'], text: 'Some Words', any: [null, { deep: 'é' }] },
      { id: 'b', createdAt: '2026-01-01T00:00:00.000Z' },
    ])
    await store.put(things, { id: 'c' })
    await store.delete(things, 'c')
    const before = (await store.findRevised(things)).items
    await context.reopen()
    const again = await context.open(things)
    expect((await again.findRevised(things)).items).toEqual(before)
    expect(await idsOf(again, things, { where: { labels: { contains: 'l' }, done: true, rank: 1.5 } })).toEqual(['a'])
    if (context.backend.capabilities.search) expect(await idsOf(again, things, { text: 'wor' })).toEqual(['a'])
    await failure(again.put(things, { id: 'a' }, { ifAbsent: true }), 'CONFLICT')
    await again.put(
      things,
      { id: 'a', rank: 2 },
      { ifRevision: before.find(({ record }) => record.id === 'a')?.revision ?? '' },
    )
  },

  'unique columns and references hold again after it was reopened': async (store, context) => {
    await store.put(accounts, { id: 'a', email: 'x' })
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    await context.reopen()
    const again = await context.open(accounts, owners, pets)
    await failure(again.put(accounts, { id: 'b', email: 'x' }), 'UNIQUE_VIOLATION')
    await failure(again.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
  },

  'rolled back writes are absent, the last commit is present': async (store, context) => {
    for (let round = 0; round < 20; round++) {
      const work = store.transaction(async (tx) => {
        await tx.put(things, { id: 'counter', rank: round })
        await tx.put(things, { id: `only${round}` })
        if (round % 2) throw new Error('odd')
      })
      await work.catch(() => {})
    }
    await context.reopen()
    const again = await context.open(things)
    expect(await again.get(things, 'counter')).toEqual({ id: 'counter', rank: 18 })
    expect(await again.count(things)).toBe(11)
  },

  'an earlier cursor is valid afterwards': async (store, context) => {
    await store.putMany(things, withIds('a', 'b', 'c'))
    const { nextCursor = '' } = await store.find(things, { limit: 1 })
    await context.reopen()
    const again = await context.open(things)
    expect((await again.find(things, { limit: 5, cursor: nextCursor })).items.map(({ id }) => id)).toEqual(['b', 'c'])
  },
})
