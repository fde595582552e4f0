import { type StoreTransaction, WriteBatch } from '@minions/core/storage'
import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { accounts, idsOf, nodes, owners, pets, plain, things } from './collections.js'

/** Atomicity over all collections. */
export const transactions = storeCases('transactions', [plain, things, accounts, owners, pets], {
  'resolves to the result of the work, and everything is stored': async (store) => {
    const result = await store.transaction(async (tx) => {
      await tx.put(plain, { id: 'a' })
      await tx.put(things, { id: 'b', name: 'x' })
      return { done: true }
    })
    expect(result).toEqual({ done: true })
    expect([await store.count(plain), await store.count(things)]).toEqual([1, 1])
  },

  'a transaction that throws leaves nothing behind, and its error is passed on': async (store) => {
    await store.put(plain, { id: 'kept', n: 1 })
    await store.put(plain, { id: 'removed' })
    const before = await store.getRevised(plain, 'kept')
    const error = new Error('changed my mind')
    const work = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'kept', n: 2 })
      await tx.put(plain, { id: 'new' })
      await tx.delete(plain, 'removed')
      await tx.put(things, { id: 'new', labels: ['x'], text: 'gone' })
      throw error
    })
    await expect(work).rejects.toBe(error)
    expect(await store.getRevised(plain, 'kept')).toEqual(before)
    expect(await idsOf(store, plain)).toEqual(['kept', 'removed'])
    expect(await store.count(things)).toBe(0)
    expect(await idsOf(store, things, { where: { labels: { contains: 'x' } } })).toEqual([])
  },

  'a failed write fails the whole transaction, even when the work catches the error': async (store) => {
    await store.put(accounts, { id: 'a', email: 'x' })
    const work = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'first' })
      await tx.put(accounts, { id: 'b', email: 'x' }).catch(() => {})
      await tx.put(plain, { id: 'second' }).catch(() => {})
    })
    await failure(work, 'UNIQUE_VIOLATION')
    expect(await store.count(plain)).toBe(0)
    expect(await store.count(accounts)).toBe(1)
  },

  'a failing batch writes none of its records': async (store) => {
    await store.put(plain, { id: 'm', n: 0 })
    const batch = times(50, (index) => ({ id: index === 30 ? 'm' : `k${index}`, n: 1 }))
    await failure(store.putMany(plain, batch, { ifAbsent: true }), 'CONFLICT')
    expect((await store.find(plain)).items).toEqual([{ id: 'm', n: 0 }])
  },

  'reads inside see what was written and removed before them': async (store) => {
    await store.putMany(things, [
      { id: 'a', rank: 1 },
      { id: 'b', rank: 2 },
      { id: 'c', rank: 3 },
    ])
    await store.transaction(async (tx) => {
      await tx.put(things, { id: 'a', rank: 9 })
      await tx.put(things, { id: 'd', rank: 0 })
      expect(await tx.delete(things, 'b')).toBe(true)
      expect(await tx.delete(things, 'b')).toBe(false)
      expect(await idsOf(tx, things, { orderBy: [{ field: 'rank' }], limit: 1 })).toEqual(['d', 'c', 'a'])
      expect((await tx.getMany(things, ['a', 'b', 'd'])).map((found) => found?.record.rank)).toEqual([9, undefined, 0])
      expect(await tx.count(things, { where: { rank: { gt: 2 } } })).toBe(2)
    })
    expect(await idsOf(store, things, { orderBy: [{ field: 'rank' }] })).toEqual(['d', 'c', 'a'])
  },

  'writing a record several times keeps the last': async (store) => {
    await store.transaction(async (tx) => {
      for (let rank = 0; rank < 5; rank++) await tx.put(things, { id: 'a', rank, labels: [`l${rank}`] })
    })
    expect(await store.get(things, 'a')).toEqual({ id: 'a', rank: 4, labels: ['l4'] })
    expect(await store.count(things, { where: { labels: { contains: 'l3' } } })).toBe(0)
    expect(await store.count(things, { where: { labels: { contains: 'l4' } } })).toBe(1)
  },

  'calls that overlap inside a transaction are all made': async (store) => {
    await store.transaction(async (tx) => {
      await Promise.all(times(20, (index) => tx.put(plain, { id: `k${index}` })))
      expect(await tx.count(plain)).toBe(20)
    })
    expect(await store.count(plain)).toBe(20)
  },

  'when one of several overlapping calls fails, none of them is kept': async (store) => {
    await store.put(plain, { id: 'taken' })
    const work = store.transaction((tx) =>
      Promise.all([
        tx.put(plain, { id: 'first' }),
        tx.put(plain, { id: 'taken' }, { ifAbsent: true }),
        ...times(20, (index) => tx.put(plain, { id: `k${index}` })),
      ]),
    )
    await failure(work, 'CONFLICT')
    await store.put(plain, { id: 'afterwards' })
    expect(await idsOf(store, plain)).toEqual(['afterwards', 'taken'])
  },

  'calls that were not awaited are not made after the end': async (store) => {
    const late: Promise<unknown>[] = []
    const work = store.transaction(async (tx) => {
      for (let index = 0; index < 20; index++) late.push(tx.put(plain, { id: `k${index}` }).catch(() => {}))
      throw new Error('out')
    })
    await expect(work).rejects.toThrow('out')
    await Promise.all(late)
    await store.put(plain, { id: 'afterwards' })
    expect(await idsOf(store, plain)).toEqual(['afterwards'])
  },

  'a transaction that has ended cannot be used': async (store) => {
    let kept: Parameters<Parameters<typeof store.transaction>[0]>[0] | undefined
    await store.transaction(async (tx) => {
      kept = tx
    })
    await failure(kept?.put(plain, { id: 'late' }) as Promise<unknown>, 'CLOSED')
    await failure(kept?.get(plain, 'late') as Promise<unknown>, 'CLOSED')
    expect(await store.count(plain)).toBe(0)
  },

  'the store itself is refused inside its transaction, and may be used again after it': async (store) => {
    await store.put(plain, { id: 'kept' })
    const outside = new WriteBatch()
    outside.put(plain, { id: 'outside' })
    const uses: ((tx: StoreTransaction) => Promise<unknown>)[] = [
      () => store.get(plain, 'kept'),
      () => store.getMany(plain, ['kept']),
      () => store.find(plain),
      () => store.count(plain),
      () => idsOf(store, plain),
      () => store.put(plain, { id: 'outside' }),
      () => store.write(outside),
      () => store.putMany(plain, [{ id: 'outside' }]),
      () => store.delete(plain, 'kept'),
      () => store.transaction(async (inner) => inner.put(plain, { id: 'outside' })),
      (tx) =>
        Promise.all([tx.count(plain), new Promise((resolve) => setTimeout(resolve)).then(() => store.count(plain))]),
    ]
    for (const use of uses) {
      const work = store.transaction(async (tx) => {
        await tx.put(plain, { id: 'inside' })
        await use(tx)
      })
      const error = await failure(work, 'OUTSIDE_TRANSACTION')
      expect(error.message).toContain('`work`')
      expect(await idsOf(store, plain)).toEqual(['kept'])
    }
  },

  'a transaction that takes too long is rolled back and the store continues': async (_, context) => {
    const store = await context.openWith({ transactionTimeout: 50 }, plain)
    const work = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'slow' })
      await new Promise((resolve) => setTimeout(resolve, 200))
      await tx.put(plain, { id: 'slower' })
    })
    await failure(work, 'TRANSACTION_TIMEOUT')
    await new Promise((resolve) => setTimeout(resolve, 250))
    await store.put(plain, { id: 'next' })
    expect(await idsOf(store, plain)).toEqual(['next'])
  },

  'commit callbacks are called once, in order, and not at all after a failure': async (store) => {
    const calls: number[] = []
    await store.transaction(async (tx) => {
      tx.afterCommit(() => calls.push(1))
      await tx.put(plain, { id: 'a' })
      tx.afterCommit(() => calls.push(2))
      expect(calls).toEqual([])
    })
    expect(calls).toEqual([1, 2])
    const failing = store.transaction(async (tx) => {
      tx.afterCommit(() => calls.push(3))
      await tx.put(pets, { id: 'rex', owner: 'nobody' })
    })
    await failure(failing, 'REFERENCE_VIOLATION')
    expect(calls).toEqual([1, 2])
  },

  'an empty transaction, and empty batches, are allowed': async (store) => {
    expect(await store.transaction(async () => 7)).toBe(7)
    expect(await store.putMany(plain, [])).toEqual([])
    expect(await store.deleteMany(plain, [])).toBe(0)
    await store.backend.transaction(async (tx) => {
      await tx.put(plain.name, [])
      expect(await tx.delete(plain.name, [])).toEqual([])
    })
  },

  'a batch of ten thousand records is one transaction': async (store) => {
    const records = times(10_000, (index) => ({ id: `k${index}`, rank: index, labels: ['x'] }))
    expect(await store.putMany(things, records, { ifAbsent: true })).toHaveLength(10_000)
    expect(await store.count(things)).toBe(10_000)
    const keys = records.map(({ id }) => id)
    expect((await store.getMany(things, keys)).every((found, index) => found?.record.rank === index)).toBe(true)
    expect((await store.find(things, { limit: 10_000, orderBy: [{ field: 'rank' }] })).items).toHaveLength(10_000)
    expect(await store.deleteMany(things, [...keys, 'nobody'])).toBe(10_000)
    expect(await store.count(things, { where: { labels: { contains: 'x' } } })).toBe(0)
  },

  'an unknown collection is an error and not an empty one': async (store) => {
    await failure(store.get(nodes, 'a'), 'NOT_FOUND')
    await failure(store.find(nodes), 'NOT_FOUND')
    await failure(store.put(nodes, { id: 'a' }), 'NOT_FOUND')
  },
})
