import { isMinionsError, MinionsError } from '@minions/core'
import { Store } from '@minions/core/storage'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { failure, settle } from '../failure.js'
import { accounts, idsOf, owners, pets, plain, things } from './collections.js'

const MANY = 12

/** Concurrency. */
export const concurrency = casesOf('concurrency', {
  'transactions that read and then write lose no update': async (context) => {
    const store = await context.open(plain)
    await store.put(plain, { id: 'counter', n: 0 })
    const add = () =>
      store.transaction(async (tx) => {
        const counter = await tx.get(plain, 'counter')
        await pause()
        await tx.put(plain, { id: 'counter', n: (counter?.n as number) + 1 })
      })
    await Promise.all(Array.from({ length: MANY }, add))
    expect(await store.get(plain, 'counter')).toEqual({ id: 'counter', n: MANY })
  },

  'many concurrent transactions each have their own outcome, and those that fail leave nothing behind': async (
    context,
  ) => {
    const store = await context.open(plain, accounts, owners, pets)
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
    const ids = Array.from({ length: 5 * names.length }, (_, index) => `x${index}`)
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

  'of many writes that require the same revision exactly one wins': async (context) => {
    const store = await context.open(plain)
    const revision = await store.put(plain, { id: 'x', winner: null })
    const attempts = Array.from({ length: MANY }, (_, winner) =>
      settle(store.put(plain, { id: 'x', winner }, { ifRevision: revision })),
    )
    const codes = codesOf(await Promise.all(attempts))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(MANY - 1)
    expect(await store.get(plain, 'x')).toEqual({ id: 'x', winner: codes.indexOf('ok') })
  },

  'of many creations of one record exactly one wins': async (context) => {
    const store = await context.open(plain)
    const attempts = Array.from({ length: MANY }, (_, n) =>
      settle(store.put(plain, { id: 'x', n }, { ifAbsent: true })),
    )
    const codes = codesOf(await Promise.all(attempts))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(MANY - 1)
  },

  'of many records with the same unique value exactly one is stored': async (context) => {
    const store = await context.open(accounts)
    const attempts = Array.from({ length: MANY }, (_, index) =>
      settle(
        store.transaction(async (tx) => {
          const taken = await tx.count(accounts, { where: { email: 'x' } })
          await pause()
          await tx.put(accounts, { id: `a${index}`, email: 'x', taken })
        }),
      ),
    )
    const codes = codesOf(await Promise.all(attempts))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(1)
    expect(codes.filter((code) => code === 'UNIQUE_VIOLATION')).toHaveLength(MANY - 1)
    expect(await store.count(accounts)).toBe(1)
  },

  'a record is never removed while another comes to refer to it': async (context) => {
    const store = await context.open(owners, pets)
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

  'transactions are serialisable: two that each check what the other writes do not both succeed': async (context) => {
    const store = await context.open(plain)
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

  'nothing is visible outside before commit': async (context) => {
    context.needsFullConcurrency()
    const store = await context.open(things)
    // A store refuses to be used inside its own transaction.
    const outside = await context.open(things)
    await store.put(things, { id: 'old', rank: 1, text: 'before' })
    const look = async () => ({
      old: (await outside.get(things, 'old'))?.rank,
      fresh: await outside.get(things, 'new'),
      ids: await idsOf(outside, things),
      count: await outside.count(things, { where: { rank: 2 } }),
      catalogue: (await outside.catalogue()).length,
    })
    const before = await look()
    await store.transaction(async (tx) => {
      await tx.put(things, { id: 'old', rank: 2, text: 'after' })
      await tx.put(things, { id: 'new', rank: 2 })
      expect(await look()).toEqual(before)
    })
    expect(await look()).toEqual({ old: 2, fresh: { id: 'new', rank: 2 }, ids: ['new', 'old'], count: 2, catalogue: 1 })
  },

  'readers during writers never see half a transaction': async (context) => {
    const store = await context.open(plain)
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

  'transactions that fail do not affect those that succeed': async (context) => {
    const store = await context.open(accounts)
    const attempts = Array.from({ length: 30 }, (_, index) =>
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
    expect(ids).toEqual(Array.from({ length: 10 }, (_, index) => `a${index * 3 + 2}`).sort())
  },

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
    const stores = [await context.open(plain), await Store.open(other, [plain])]
    await stores[0]?.put(plain, { id: 'counter', n: 0 })
    const add = (_: unknown, index: number) =>
      stores[index % 2]?.transaction(async (tx) => {
        const counter = await tx.get(plain, 'counter')
        await pause()
        await tx.put(plain, { id: 'counter', n: (counter?.n as number) + 1 })
      })
    await Promise.all(Array.from({ length: MANY }, add))
    expect((await stores[1]?.get(plain, 'counter'))?.n).toBe(MANY)
  },
})

/** Gives others a chance to run in between. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}

function codesOf(outcomes: readonly ({ value: unknown } | { error: unknown })[]): string[] {
  return outcomes.map((outcome) => {
    if (!('error' in outcome)) return 'ok'
    return isMinionsError(outcome.error) ? outcome.error.code : String(outcome.error)
  })
}
