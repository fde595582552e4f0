import { MinionsError } from '@minions/core'
import { Store } from '@minions/core/storage'
import { expect } from 'vitest'
import { casesOf, storeCases } from '../case.js'
import { codeOf, failure, settle } from '../failure.js'
import { pause, times } from '../times.js'
import { accounts, idsOf, owners, pets, plain, things } from './collections.js'

const MANY = 12

const onOneBackend = storeCases('concurrency', [plain, things, accounts, owners, pets], {
  'transactions that read and then write lose no update': async (store) => {
    await store.put(plain, { id: 'counter', n: 0 })
    await Promise.all(times(MANY, () => addOne(store)))
    expect(await store.get(plain, 'counter')).toEqual({ id: 'counter', n: MANY })
  },

  'many concurrent transactions each have their own outcome, and those that fail leave nothing behind': async (
    store,
  ) => {
    await store.put(plain, { id: 'there' })
    await store.put(accounts, { id: 'taken', email: 'taken' })
    await store.put(owners, { id: 'owner' })
    await store.put(pets, { id: 'pet', owner: 'owner' })
    const ways: Record<string, (id: string) => Promise<unknown>> = {
      ok: (id) => store.put(plain, { id }),
      'ok again': (id) =>
        store.transaction(async (tx) => {
          expect(await tx.get(plain, id)).toBeUndefined()
          await tx.put(plain, { id })
          await tx.put(owners, { id })
          await tx.put(pets, { id, owner: id })
        }),
      mine: (id) =>
        store.transaction(async (tx) => {
          await tx.put(plain, { id })
          throw new MinionsError('MINE', id)
        }),
      CONFLICT: (id) =>
        store.transaction(async (tx) => {
          await tx.put(owners, { id })
          await tx.put(plain, { id: 'there' }, { ifAbsent: true })
        }),
      UNIQUE_VIOLATION: (id) => store.putMany(accounts, [{ id }, { id: `${id} too`, email: 'taken' }]),
      'REFERENCE_VIOLATION of a put': (id) => store.put(pets, { id, owner: `nobody ${id}` }),
      'REFERENCE_VIOLATION of a delete': (id) =>
        store.transaction(async (tx) => {
          await tx.put(plain, { id })
          await tx.delete(owners, 'owner')
        }),
      VALIDATION_FAILED: () => store.put(plain, { id: '' }),
    }
    const names = Object.keys(ways)
    const ids = times(5 * names.length, (index) => `x${index}`)
    const wayOf = (index: number) => names[(index * 3) % names.length] ?? ''
    const outcomes = await Promise.all(ids.map((id, index) => settle(ways[wayOf(index)]?.(id) as Promise<unknown>)))
    const written: string[] = []
    for (const [index, outcome] of outcomes.entries()) {
      const way = wayOf(index)
      if (way.startsWith('ok')) written.push(ids[index] as string)
      expect('error' in outcome, way).toBe(!way.startsWith('ok'))
      if (!('error' in outcome)) continue
      const { code, message, details } = outcome.error as MinionsError
      expect(code).toBe(way === 'mine' ? 'MINE' : way.split(' ')[0])
      if (way === 'mine') expect(message).toBe(ids[index])
      if (way.endsWith('a put')) expect(details).toMatchObject({ key: ids[index], target: `nobody ${ids[index]}` })
      if (way.endsWith('a delete')) expect(details).toMatchObject({ key: 'pet', target: 'owner' })
    }
    expect(await idsOf(store, plain)).toEqual(['there', ...written].sort())
    expect(await idsOf(store, accounts)).toEqual(['taken'])
    const second = written.filter((id) => wayOf(ids.indexOf(id)) === 'ok again')
    expect(await idsOf(store, owners)).toEqual(['owner', ...second].sort())
    expect(await idsOf(store, pets)).toEqual(['pet', ...second].sort())
  },

  'of many writes that require the same revision exactly one wins': async (store) => {
    const revision = await store.put(plain, { id: 'x', winner: null })
    const attempts = times(MANY, (winner) => store.put(plain, { id: 'x', winner }, { ifRevision: revision }))
    const winner = await oneWins(attempts, 'CONFLICT')
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', winner })
  },

  'of many creations of one record exactly one wins': async (store) => {
    const attempts = times(MANY, (n) => store.put(plain, { id: 'x', n }, { ifAbsent: true }))
    await oneWins(attempts, 'CONFLICT')
  },

  'of many records with the same unique value exactly one is stored': async (store) => {
    const attempts = times(MANY, (index) =>
      store.transaction(async (tx) => {
        const taken = await tx.count(accounts, { where: { email: 'x' } })
        await pause()
        await tx.put(accounts, { id: `a${index}`, email: 'x', taken })
      }),
    )
    await oneWins(attempts, 'UNIQUE_VIOLATION')
    expect(await store.count(accounts)).toBe(1)
  },

  'a record is never removed while another comes to refer to it': async (store) => {
    for (let round = 0; round < 6; round++) {
      const id = `anna${round}`
      await store.put(owners, { id })
      const attempts = [
        settle(store.put(pets, { id: `rex${round}`, owner: id })),
        settle(store.delete(owners, id)),
        settle(store.put(pets, { id: `tom${round}`, owner: id })),
      ]
      await Promise.all(round % 2 ? attempts : attempts.reverse())
      const stored = await store.count(pets, { where: { owner: id } })
      expect((await store.get(owners, id)) !== undefined).toBe(stored > 0)
    }
  },

  'transactions are serialisable: two that each check what the other writes do not both succeed': async (store) => {
    await store.putMany(plain, [
      { id: 'a', onCall: true },
      { id: 'b', onCall: true },
    ])
    const leave = (id: string) =>
      store.transaction(async (tx) => {
        const { items } = await tx.find(plain, { where: { onCall: true } })
        await pause()
        if (items.length > 1) await tx.put(plain, { id, onCall: false })
      })
    await Promise.all([leave('a'), leave('b')])
    expect(await store.count(plain, { where: { onCall: true } })).toBe(1)
  },

  'nothing is visible outside before commit': async (store, context) => {
    context.needsFullConcurrency()
    // A store refuses to be used inside its own transaction.
    const outside = await context.open(things)
    await store.put(things, { id: 'old', rank: 1, text: 'before' })
    const read = async () => ({
      old: (await outside.get(things, 'old'))?.rank,
      fresh: await outside.get(things, 'new'),
      ids: await idsOf(outside, things),
      count: await outside.count(things, { where: { rank: 2 } }),
      catalogue: await outside.catalogue(),
    })
    const before = await read()
    await store.transaction(async (tx) => {
      await tx.put(things, { id: 'old', rank: 2, text: 'after' })
      await tx.put(things, { id: 'new', rank: 2 })
      expect(await read()).toEqual(before)
    })
    expect(await read()).toEqual({ ...before, old: 2, fresh: { id: 'new', rank: 2 }, ids: ['new', 'old'], count: 2 })
  },

  'readers during writers never see half a transaction': async (store) => {
    await store.putMany(plain, [
      { id: 'a', sum: 100 },
      { id: 'b', sum: 0 },
    ])
    let writing = true
    const writer = async () => {
      for (let round = 1; round <= 15; round++) {
        await store.transaction(async (tx) => {
          const [a, b] = await tx.getMany(plain, ['a', 'b'])
          await tx.put(plain, { id: 'a', sum: (a?.record.sum as number) - 1 })
          await pause()
          await tx.put(plain, { id: 'b', sum: (b?.record.sum as number) + 1 })
        })
      }
      writing = false
    }
    const reader = async () => {
      do {
        const both = await store.getMany(plain, ['a', 'b'])
        expect(both.reduce((sum, found) => sum + (found?.record.sum as number), 0)).toBe(100)
        const { items } = await store.find(plain)
        expect(items.reduce((sum, record) => sum + (record.sum as number), 0)).toBe(100)
        await pause()
      } while (writing)
    }
    await Promise.all([writer(), reader(), reader()])
    expect((await store.getMany(plain, ['a', 'b'])).map((found) => found?.record.sum)).toEqual([85, 15])
  },

  'transactions that fail do not affect those that succeed': async (store) => {
    const attempts = times(30, (index) =>
      settle(
        store.transaction(async (tx) => {
          await tx.put(accounts, { id: `a${index}`, email: `e${index}` })
          if (index % 3 === 0) throw new Error('no')
          if (index % 3 === 1) await tx.put(accounts, { id: `b${index}`, email: `e${index}` })
        }),
      ),
    )
    await Promise.all(attempts)
    const ids = (await idsOf(store, accounts)).sort()
    expect(ids).toEqual(times(10, (index) => `a${index * 3 + 2}`).sort())
  },
})

const onTwoBackends = casesOf('concurrency', {
  'two backends on the same data open, migrate and see what the other has committed': async (context) => {
    const other = await context.connect()
    const [mine, theirs] = await Promise.all([
      context.open(things, owners, pets),
      Store.open(other, [things, owners, pets]),
    ])
    await mine.put(things, { id: 'a', rank: 1 })
    expect(await theirs.get(things, 'a')).toEqual({ id: 'a', rank: 1 })
    const revision = await theirs.put(things, { id: 'a', rank: 2 })
    expect(await mine.getRevised(things, 'a')).toEqual({ record: { id: 'a', rank: 2 }, revision })
    expect(await idsOf(mine, things, { where: { rank: 2 } })).toEqual(['a'])
    await theirs.put(owners, { id: 'anna' })
    await mine.put(pets, { id: 'rex', owner: 'anna' })
    await failure(theirs.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
  },

  'two backends on the same data lose no update': async (context) => {
    const other = await context.connect()
    const stores = [await context.open(plain), await Store.open(other, [plain])] as const
    await stores[0].put(plain, { id: 'counter', n: 0 })
    await Promise.all(times(MANY, (index) => addOne(stores[index % 2 === 0 ? 0 : 1])))
    expect((await stores[1].get(plain, 'counter'))?.n).toBe(MANY)
  },
})

export const concurrency = [...onOneBackend, ...onTwoBackends]

/** Increments a counter that it has read before. */
function addOne(store: Store): Promise<unknown> {
  return store.transaction(async (tx) => {
    const counter = await tx.get(plain, 'counter')
    await pause()
    await tx.put(plain, { id: 'counter', n: (counter?.n as number) + 1 })
  })
}

/** The index of the one attempt that succeeds; all others must fail with this code. */
async function oneWins(attempts: readonly Promise<unknown>[], code: string): Promise<number> {
  const outcomes = await Promise.all(attempts.map(settle))
  const codes = outcomes.map((outcome) => ('error' in outcome ? codeOf(outcome.error) : 'ok'))
  const winner = codes.indexOf('ok')
  expect(codes).toEqual(attempts.map((_, index) => (index === winner ? 'ok' : code)))
  return winner
}
