import { AsyncResource } from 'node:async_hooks'
import { Store, WriteBatch } from '@minions/core/storage'
import { expect } from 'vitest'
import { storeCases } from '../case.js'
import { failure, settle } from '../failure.js'
import { times } from '../times.js'
import { accounts, editions, idsOf, owners, pets, plain, things } from './collections.js'

const MANY = 12

/** Writes that happen together, without a transaction around them. */
export const batches = storeCases('batches', [plain, owners, things, editions, accounts, pets], {
  'a batch writes, replaces and removes records of several collections': async (store, context) => {
    await store.putMany(plain, [{ id: 'old' }, { id: 'gone' }])
    const batch = new WriteBatch()
    const revision = batch.put(things, { id: 'a', rank: 3, labels: ['x'], text: 'Harbour lights' })
    batch.put(plain, { id: 'old', n: 1 })
    batch.put(editions, { book: 'b', edition: 2 }, { ifAbsent: true })
    batch.delete(plain, 'gone')
    batch.delete(plain, 'never')
    await store.write(batch)
    expect(await store.getRevised(things, 'a')).toEqual({
      record: { id: 'a', rank: 3, labels: ['x'], text: 'Harbour lights' },
      revision,
    })
    expect(await store.get(plain, 'old')).toEqual({ id: 'old', n: 1 })
    expect(await store.get(plain, 'gone')).toBeUndefined()
    expect(await store.get(editions, ['b', 2])).toEqual({ book: 'b', edition: 2 })
    expect(await idsOf(store, things, { where: { rank: 3, labels: { contains: 'x' } } })).toEqual(['a'])
    if (context.backend.capabilities.search) expect(await idsOf(store, things, { text: 'harb' })).toEqual(['a'])
  },

  'an empty batch changes nothing': async (store) => {
    await store.write(new WriteBatch())
    expect(await store.count(plain)).toBe(0)
  },

  'a batch is written if every record is as expected': async (store) => {
    const revisions = await putThree(store)
    const batch = new WriteBatch()
    batch.put(plain, { id: 'a', n: 2 }, { ifRevision: revisions.a })
    batch.delete(plain, 'b', { ifRevision: revisions.b })
    batch.check(plain, 'c', { ifRevision: revisions.c })
    batch.put(plain, { id: 'd' }, { ifAbsent: true })
    batch.check(plain, 'e', { ifAbsent: true })
    await store.write(batch)
    expect(await idsOf(store, plain)).toEqual(['a', 'c', 'd'])
    expect(await store.getRevised(plain, 'c')).toEqual({ record: { id: 'c', n: 1 }, revision: revisions.c })
    expect(await store.get(plain, 'a')).toEqual({ id: 'a', n: 2 })
  },

  'a record that is not as expected refuses the whole batch': async (store) => {
    const revisions = await putThree(store)
    const refused: Record<string, (batch: WriteBatch) => void> = {
      a: (batch) => batch.put(plain, { id: 'a', n: 9 }, { ifRevision: revisions.b }),
      b: (batch) => batch.put(plain, { id: 'b', n: 9 }, { ifAbsent: true }),
      c: (batch) => batch.delete(plain, 'c', { ifRevision: revisions.a }),
      d: (batch) => batch.put(plain, { id: 'd', n: 9 }, { ifRevision: revisions.a }),
      e: (batch) => batch.delete(plain, 'e', { ifRevision: revisions.a }),
      f: (batch) => batch.check(plain, 'f', { ifRevision: revisions.a }),
      absent: (batch) => batch.check(plain, 'a', { ifAbsent: true }),
    }
    for (const [key, add] of Object.entries(refused)) {
      const batch = new WriteBatch()
      batch.put(owners, { id: 'first' })
      add(batch)
      batch.put(things, { id: 'last', rank: 1 })
      const { details } = await failure(store.write(batch), 'CONFLICT')
      const refusedKey = key === 'absent' ? 'a' : key
      const current = revisions[refusedKey as keyof typeof revisions] ?? null
      expect(details).toMatchObject({ collection: 'kit_plain', key: refusedKey, current })
    }
    const batch = new WriteBatch()
    batch.put(owners, { id: 'first' })
    batch.check(plain, 'c', { ifRevision: revisions.a })
    const { details } = await failure(store.write(batch), 'CONFLICT')
    expect(details).toMatchObject({ collection: 'kit_plain', key: 'c', current: revisions.c })
    expect(await store.count(owners)).toBe(0)
    expect(await store.count(things)).toBe(0)
    expect(await store.find(plain)).toMatchObject({ items: ['a', 'b', 'c'].map((id) => ({ id, n: 1 })) })
  },

  'a refused batch can be written once its expectations hold': async (store) => {
    await store.put(plain, { id: 'a' })
    const batch = new WriteBatch()
    batch.put(plain, { id: 'a', n: 1 }, { ifAbsent: true })
    batch.put(owners, { id: 'x' })
    await failure(store.write(batch), 'CONFLICT')
    await store.delete(plain, 'a')
    await store.write(batch)
    expect(await store.get(plain, 'a')).toEqual({ id: 'a', n: 1 })
    expect(await store.count(owners)).toBe(1)
  },

  'unique columns and references hold for a batch as a whole': async (store) => {
    await store.put(accounts, { id: 'a', email: 'x' })
    const taken = new WriteBatch()
    taken.put(plain, { id: 'p' })
    taken.put(accounts, { id: 'b', email: 'x' })
    const twice = await failure(store.write(taken), 'UNIQUE_VIOLATION')
    expect(twice.details).toMatchObject({ collection: 'kit_accounts', key: 'b', columns: ['email'] })
    const dangling = new WriteBatch()
    dangling.put(plain, { id: 'p' })
    dangling.put(pets, { id: 'rex', owner: 'anna' })
    const broken = await failure(store.write(dangling), 'REFERENCE_VIOLATION')
    expect(broken.details).toMatchObject({ collection: 'kit_pets', key: 'rex', reference: 'kit_owners' })
    const together = new WriteBatch()
    together.put(pets, { id: 'rex', owner: 'anna' })
    together.put(owners, { id: 'anna' })
    await store.write(together)
    const removal = new WriteBatch()
    removal.put(plain, { id: 'p' })
    removal.delete(owners, 'anna')
    await failure(store.write(removal), 'REFERENCE_VIOLATION')
    expect(await store.count(plain)).toBe(0)
    expect(await store.count(owners)).toBe(1)
  },

  'values that cannot be stored are refused when they are added': async (store) => {
    const batch = new WriteBatch()
    batch.put(plain, { id: 'a' })
    expect(() => batch.put(plain, { id: 'b', text: 'nul \0' })).toThrow(/cannot/)
    expect(() => batch.delete(plain, 'a')).toThrow(/twice/)
    expect(() => batch.put(plain, { id: 'a', n: 1 })).toThrow(/twice/)
    await store.write(batch)
    expect(await store.find(plain)).toMatchObject({ items: [{ id: 'a' }] })
  },

  'a batch in a transaction is part of it': async (store) => {
    const write = (id: string, giveUp: boolean) =>
      store.transaction(async (tx) => {
        const batch = new WriteBatch()
        batch.put(plain, { id })
        batch.put(owners, { id })
        await tx.write(batch)
        expect(await tx.get(plain, id)).toEqual({ id })
        if (giveUp) throw new Error('given up')
      })
    await expect(write('a', true)).rejects.toThrow('given up')
    await write('b', false)
    expect(await idsOf(store, plain)).toEqual(['b'])
    expect(await idsOf(store, owners)).toEqual(['b'])
  },

  'a closed store refuses a batch': async (store) => {
    await store.close()
    const batch = new WriteBatch()
    batch.put(plain, { id: 'a' })
    await failure(store.write(batch), 'CLOSED')
  },

  'of many batches with the same expectation exactly one is written, and nothing of the others': async (store) => {
    const revision = await store.put(plain, { id: 'x' })
    const attempts = times(MANY, (index) => {
      const batch = new WriteBatch()
      if (index % 3 === 0) batch.delete(plain, 'x', { ifRevision: revision })
      else batch.put(plain, { id: 'x', index }, { ifRevision: revision })
      batch.put(owners, { id: `o${index}` })
      return settle(store.write(batch))
    })
    const won = (await Promise.all(attempts)).flatMap((outcome, index) => ('error' in outcome ? [] : [index]))
    expect(won).toHaveLength(1)
    expect(await idsOf(store, owners)).toEqual([`o${won[0]}`])
  },

  'batches, claims and transactions together lose no update': async (store) => {
    await store.put(plain, { id: 'counter', n: 0 })
    await Promise.all(times(MANY, (index) => add(store, index)))
    expect((await store.get(plain, 'counter'))?.n).toBe(MANY)
  },

  'a transaction does not restore what a batch has removed since it read it': async (store, context) => {
    const other = await Store.open(context.backend, [plain])
    for (const expects of [true, false]) {
      const revision = await store.put(plain, { id: 'x' })
      const batch = new WriteBatch()
      batch.delete(plain, 'x', { ifRevision: revision })
      const remove = AsyncResource.bind(() => settle(other.write(batch)))
      let removed: ReturnType<typeof remove> | undefined
      const seen: boolean[] = []
      const written = await settle(
        store.transaction(async (tx) => {
          const found = await tx.getRevised(plain, 'x')
          seen.push(found !== undefined)
          // Outside the transaction, and not awaited where it waits for the transaction to end.
          removed ??= remove()
          await Promise.race([removed, new Promise((resolve) => setTimeout(resolve, 50))])
          if (found) await tx.put(plain, { id: 'x', n: 1 }, ...(expects ? [{ ifRevision: found.revision }] : []))
        }),
      )
      // Either the transaction came first and the batch was refused, or it ran again and found nothing.
      const outcome = await removed
      const stays = (await store.get(plain, 'x')) !== undefined
      expect('error' in (outcome ?? {})).toBe(stays)
      expect('error' in written).toBe(false)
      expect(seen.at(-1)).toBe(stays)
      await store.delete(plain, 'x')
    }
  },

  'batches of two backends on the same data lose no update': async (store, context) => {
    const other = await Store.open(await context.connect(), [plain])
    await store.put(plain, { id: 'counter', n: 0 })
    await Promise.all(times(MANY, (index) => add(index % 2 ? other : store, index)))
    expect((await other.get(plain, 'counter'))?.n).toBe(MANY)
  },

  'a batch that checks a record and one that changes it are not both written from the same state': async (store) => {
    for (let round = 0; round < 6; round++) {
      const id = `x${round}`
      const revision = await store.put(plain, { id })
      const checking = new WriteBatch()
      checking.check(plain, id, { ifRevision: revision })
      checking.put(owners, { id })
      const changing = new WriteBatch()
      changing.put(plain, { id, by: await store.count(owners, { where: { id } }) }, { ifRevision: revision })
      const [checked, changed] = await Promise.all([settle(store.write(checking)), settle(store.write(changing))])
      expect('value' in changed).toBe(true)
      expect((await store.get(owners, id)) !== undefined).toBe('value' in checked)
    }
  },
})

/** Writes three records, and returns their revisions. */
async function putThree(store: Store) {
  const records = ['a', 'b', 'c'].map((id) => ({ id, n: 1 }))
  const [a = '', b = '', c = ''] = await store.putMany(plain, records)
  return { a, b, c }
}

/** Increments the counter, in a different way each time. */
async function add(store: Store, way: number): Promise<void> {
  if (way % 3 === 0) {
    await store.transaction(async (tx) => {
      const counter = await tx.get(plain, 'counter')
      await tx.put(plain, { id: 'counter', n: (counter?.n as number) + 1 })
    })
    return
  }
  for (;;) {
    if (way % 3 === 1) {
      const claimed = await store.claim(plain, { where: { id: 'counter' } }, ({ n }) => ({
        id: 'counter',
        n: (n as number) + 1,
      }))
      if (claimed.length === 1) return
      continue
    }
    const { record, revision } = (await store.getRevised(plain, 'counter')) ?? { record: { n: 0 }, revision: '' }
    const batch = new WriteBatch()
    batch.put(plain, { id: 'counter', n: (record.n as number) + 1 }, { ifRevision: revision })
    const outcome = await settle(store.write(batch))
    if (!('error' in outcome)) return
    await failure(Promise.reject(outcome.error), 'CONFLICT')
  }
}
