import { Store, type StoreChange, WriteBatch } from '@minions/core/storage'
import { expect } from 'vitest'
import { feedCases, storeCases } from '../case.js'
import { failure, settle } from '../failure.js'
import { times } from '../times.js'
import { accounts, changesSince, documents, editions, owners, pets, plain, things, withIds } from './collections.js'

/** Two columns that every record has, and some that a feed does not keep. */
const tickets = documents('kit_tickets', {
  columns: {
    kind: { type: 'string', required: true },
    open: { type: 'boolean', required: true },
    weight: { type: 'number', required: true },
    labels: { type: 'strings', required: true },
    secret: 'string',
  },
})

/** The content of a change, without position and time. */
function told({ collection, key, kind, revision }: StoreChange): unknown[] {
  return [collection, key, kind, revision]
}

const capability = storeCases('change feed', [plain], {
  'a backend without a feed rejects, and one with a feed does not': async (store) => {
    const { backend } = store
    if (backend.capabilities.changes) {
      const { items, cursor } = await store.listChanges({ since: 'now' })
      expect(items).toEqual([])
      expect(cursor).toMatch(/^[!-~]+$/)
      return
    }
    await failure(store.listChanges({ since: 'now' }), 'CAPABILITY_MISSING')
    await failure(store.changes().next(), 'CAPABILITY_MISSING')
    await failure(store.changes({ since: 'start' }).next(), 'CAPABILITY_MISSING')
    if (backend.changes) await failure(backend.changes({ since: 'now', limit: 1 }), 'CAPABILITY_MISSING')
  },
})

const contents = feedCases('change feed', [plain, things, editions, accounts, owners, pets, tickets], {
  'every write is a change with its collection, key, kind, revision and time': async (store) => {
    const before = Date.now() - 60_000
    const created = await store.put(plain, { id: 'a' }, { ifAbsent: true })
    const updated = await store.put(plain, { id: 'a', n: 1 }, { ifRevision: created })
    const edition = await store.put(editions, { book: 'b\u0001', edition: 2 })
    await store.delete(plain, 'a')
    const found = await changesSince(store, 'start')
    expect(found.map(told)).toEqual([
      ['kit_plain', 'a', 'put', created],
      ['kit_plain', 'a', 'put', updated],
      ['kit_editions', ['b\u0001', 2], 'put', edition],
      ['kit_plain', 'a', 'delete', updated],
    ])
    // The same on every backend, also as JSON.
    expect(Object.keys(found[0] as StoreChange)).toEqual(['cursor', 'collection', 'key', 'kind', 'revision', 'at'])
    for (const { at } of found) {
      expect(new Date(at).toISOString()).toBe(at)
      expect(Date.parse(at)).toBeGreaterThan(before)
    }
    expect(await store.get(editions, found[2]?.key ?? '')).toEqual({ book: 'b\u0001', edition: 2 })
  },

  'refused, rolled back and missing records are not changes': async (store) => {
    const revision = await store.put(plain, { id: 'a' })
    await store.put(accounts, { id: 'a', email: 'x' })
    await store.put(owners, { id: 'anna' })
    await store.put(pets, { id: 'rex', owner: 'anna' })
    const { cursor } = await store.listChanges()
    await failure(store.put(plain, { id: 'a' }, { ifAbsent: true }), 'CONFLICT')
    await failure(store.delete(plain, 'a', { ifRevision: 'other' }), 'CONFLICT')
    await failure(store.put(accounts, { id: 'b', email: 'x' }), 'UNIQUE_VIOLATION')
    await failure(store.put(pets, { id: 'tom', owner: 'nobody' }), 'REFERENCE_VIOLATION')
    await failure(store.delete(owners, 'anna'), 'REFERENCE_VIOLATION')
    expect(await store.delete(plain, 'nothing')).toBe(false)
    expect(await store.deleteMany(plain, ['nothing', 'more'])).toBe(0)
    const givenUp = store.transaction(async (tx) => {
      await tx.put(plain, { id: 'b' })
      await tx.delete(plain, 'a')
      throw new Error('given up')
    })
    await settle(givenUp)
    await store.transaction(async (tx) => tx.get(plain, 'a'))
    expect(await changesSince(store, cursor)).toEqual([])
    expect((await store.getRevised(plain, 'a'))?.revision).toBe(revision)
  },

  'several writes of a record in one transaction are one change, with the outcome': async (store) => {
    await store.putMany(plain, withIds('kept', 'gone', 'back', 'rewritten'))
    const old = (await store.getRevised(plain, 'kept'))?.revision
    const { cursor } = await store.listChanges()
    const revisions = await store.transaction(async (tx) => {
      await tx.put(plain, { id: 'new', n: 1 })
      const created = await tx.put(plain, { id: 'new', n: 2 })
      await tx.put(plain, { id: 'passing' }, { ifAbsent: true })
      await tx.put(plain, { id: 'upserted' })
      await tx.put(plain, { id: 'gone', n: 1 })
      await tx.deleteMany(plain, ['passing', 'upserted', 'gone', 'back', 'kept'])
      const returned = await tx.put(plain, { id: 'back', n: 1 }, { ifAbsent: true })
      await tx.put(plain, { id: 'rewritten', n: 1 })
      const rewritten = await tx.put(plain, { id: 'rewritten', n: 2 })
      return { created, returned, rewritten }
    })
    const found = (await changesSince(store, cursor)).map(({ key, kind, revision }) => [key, kind, revision])
    expect(found.sort()).toEqual(
      [
        ['new', 'put', revisions.created],
        ['back', 'put', revisions.returned],
        ['rewritten', 'put', revisions.rewritten],
        ['gone', 'delete', expect.any(String)],
        ['kept', 'delete', old],
      ].sort(),
    )
  },

  'what a batch writes and what a claim takes has changed': async (store) => {
    const ticket = { id: 'a', kind: 'k', open: true, weight: 1, labels: [] }
    await store.putMany(tickets, [ticket, { ...ticket, id: 'b', kind: 'm' }])
    const kept = await store.put(plain, { id: 'kept' })
    const gone = (await store.getRevised(tickets, 'a'))?.revision
    const { cursor } = await store.listChanges()
    const batch = new WriteBatch()
    batch.delete(tickets, 'a')
    batch.delete(plain, 'nothing')
    const put = batch.put(plain, { id: 'new' }, { ifAbsent: true })
    const replaced = batch.put(plain, { id: 'kept', n: 1 }, { ifRevision: kept })
    await store.write(batch)
    const refused = new WriteBatch()
    refused.put(plain, { id: 'x' })
    refused.delete(plain, 'new', { ifRevision: 'other' })
    await failure(store.write(refused), 'CONFLICT')
    const [claimed] = await store.claim(tickets, { where: { open: true } }, (record) => ({ ...record, open: false }))
    await store.claim(tickets, { where: { open: true } }, (record) => record)
    const found = (await changesSince(store, cursor)).map((change) => [...told(change), change.columns])
    const written = [
      ['kit_plain', 'kept', 'put', replaced, undefined],
      ['kit_plain', 'new', 'put', put, undefined],
      ['kit_tickets', 'a', 'delete', gone, { kind: 'k', open: true, weight: 1 }],
    ]
    expect(found.slice(0, 3).sort()).toEqual(written)
    expect(found.slice(3)).toEqual([['kit_tickets', 'b', 'put', claimed?.revision, undefined]])
  },

  'a removed record leaves its required columns behind, and nothing else': async (store) => {
    const ticket = { id: 'a', kind: 'Bug “ü”', open: false, weight: 1.5, labels: ['l'], secret: 's', more: 'm' }
    await store.put(tickets, ticket)
    await store.put(tickets, { ...ticket, id: 'b', open: true, weight: -3 })
    await store.deleteMany(tickets, ['a', 'b'])
    const found = await changesSince(store, 'start')
    expect(found.map(({ columns }) => columns)).toEqual([
      undefined,
      undefined,
      { kind: 'Bug “ü”', open: false, weight: 1.5 },
      { kind: 'Bug “ü”', open: true, weight: -3 },
    ])
  },

  'the feed continues after every change, in pages of any size': async (store) => {
    const large = times(450, (index) => ({ id: `a${index}` }))
    await store.putMany(plain, large)
    await store.put(things, { id: 'x' })
    await store.transaction(async (tx) => {
      await tx.put(things, { id: 'y' })
      await tx.putMany(plain, large.slice(0, 7))
      await tx.delete(things, 'x')
    })
    const all = await changesSince(store, 'start')
    expect(all).toHaveLength(460)
    expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(460)
    // Several cursors may denote the same position.
    const behind = async (index: number, limit: number) => {
      const rest = await changesSince(store, all[index]?.cursor ?? '', limit)
      expect(rest.map(told), `behind ${index}`).toEqual(all.slice(index + 1).map(told))
    }
    for (const limit of [1, 3, 200, 449]) await behind(440, limit)
    for (const index of [0, 198, 199, 200, 448, 449, 450, 451, 455, 459]) await behind(index, 1000)
    const { items, more, cursor } = await store.listChanges({ since: 'start', limit: 200 })
    expect([items.length, more]).toEqual([200, true])
    expect((await changesSince(store, cursor)).map(told)).toEqual(all.slice(200).map(told))
  },

  'changes of some collections are selected by name, and the cursor advances past the others': async (store) => {
    const start = (await store.listChanges()).cursor
    await store.put(plain, { id: 'a' })
    await store.put(things, { id: 'a' })
    await store.put(owners, { id: 'a' })
    await store.put(things, { id: 'b' })
    await store.put(plain, { id: 'b' })
    const page = await store.listChanges({ since: start, collections: [things, 'kit_owners'] })
    expect(page.items.map(({ collection, key }) => [collection, key])).toEqual([
      ['kit_things', 'a'],
      ['kit_owners', 'a'],
      ['kit_things', 'b'],
    ])
    expect((await store.listChanges({ since: page.cursor })).items).toEqual([])
    const none = await store.listChanges({ since: start, collections: [] })
    expect(none.items).toEqual([])
    expect((await store.listChanges({ since: none.cursor })).items).toEqual([])
    const one = await store.listChanges({ since: start, collections: [things], limit: 1 })
    expect(one.items.map(({ key }) => key)).toEqual(['a'])
    const rest = await store.listChanges({ since: one.cursor, collections: [things] })
    expect(rest.items.map(({ key }) => key)).toEqual(['b'])
  },

  'an invalid cursor is refused': async (store) => {
    await store.put(plain, { id: 'a' })
    const { cursor } = await store.listChanges()
    for (const since of [
      '',
      'x',
      'Now',
      '-1',
      '1.2.3 4',
      `${cursor} `,
      '9'.repeat(400),
      "1' OR '1'='1",
      '\u0000',
      '💥',
    ]) {
      await failure(store.listChanges({ since }), 'INVALID_CURSOR')
      await failure(store.changes({ since }).next(), 'INVALID_CURSOR')
    }
    for (const since of [7, null, {}] as never[]) {
      await failure(store.listChanges({ since }), 'INVALID_CURSOR')
    }
    await failure(store.listChanges({ limit: 0 }), 'INVALID_QUERY')
    await failure(store.listChanges({ limit: 1001 }), 'INVALID_QUERY')
  },

  'a cursor from another store, or from the future, is refused': async (store, context) => {
    const other = await Store.open(await context.another(), [plain])
    for (let round = 0; round < 4; round++) await other.put(plain, { id: `o${round}` })
    const theirs = (await changesSince(other, 'start')).map(({ cursor }) => cursor)
    for (const since of theirs) await failure(store.listChanges({ since }), 'CHANGES_EXPIRED')
    for (let round = 0; round < 8; round++) await store.put(plain, { id: `s${round}` })
    for (const since of theirs) await failure(store.listChanges({ since }), 'CHANGES_EXPIRED')
    await failure(store.changes({ since: theirs[0] ?? '' }).next(), 'CHANGES_EXPIRED')
  },

  'changes are removed once there are too many, and an older cursor is refused': async (_, context) => {
    const store = await Store.open(await context.another({ changes: { keepAtMost: 5 } }), [plain])
    const start = (await store.listChanges()).cursor
    await store.put(plain, { id: 'first' })
    const first = (await store.listChanges()).cursor
    const revisions: string[] = []
    for (let round = 0; round < 40; round++) revisions.push(await store.put(plain, { id: 'x', round }))
    const error = await failure(store.listChanges({ since: first }), 'CHANGES_EXPIRED')
    expect(error.message).toMatch(/now/)
    await failure(store.listChanges({ since: start }), 'CHANGES_EXPIRED')
    await failure(store.changes({ since: first }).next(), 'CHANGES_EXPIRED')
    const kept = (await changesSince(store, 'start')).map(({ revision }) => revision)
    expect(kept.length).toBeGreaterThanOrEqual(5)
    expect(kept.length).toBeLessThan(20)
    expect(kept).toEqual(revisions.slice(-kept.length))
  },

  'changes are removed once they are too old': async (_, context) => {
    const store = await Store.open(await context.another({ changes: { keepFor: 0 } }), [plain])
    await store.put(plain, { id: 'first' })
    const { cursor } = await store.listChanges()
    const kept = await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      const revision = await store.put(plain, { id: 'x' })
      const found = await changesSince(store, 'start')
      expect(found.at(-1)?.revision).toBe(revision)
      return found.some(({ key }) => key === 'first') ? undefined : found
    })
    expect(kept.length).toBeLessThan(20)
    await failure(store.listChanges({ since: cursor }), 'CHANGES_EXPIRED')
  },

  'an earlier cursor is valid after the store was closed and opened again': async (store, context) => {
    await store.put(plain, { id: 'a' })
    await store.put(plain, { id: 'b' })
    const all = await changesSince(store, 'start')
    await context.reopen()
    const again = await context.open(plain)
    expect((await changesSince(again, 'start')).map(told)).toEqual(all.map(told))
    expect((await changesSince(again, all[0]?.cursor ?? '')).map(told)).toEqual(all.slice(1).map(told))
    const revision = await again.put(plain, { id: 'c' })
    expect((await changesSince(again, all[1]?.cursor ?? '')).map(told)).toEqual([['kit_plain', 'c', 'put', revision]])
  },

  'records that an upgrade rewrites have changed, and keys that it drops are gone': async (_, context) => {
    const columns = { kind: { type: 'string', required: true } } as const
    const old = documents('kit_moving', { columns })
    const store = await context.open(old, plain)
    await store.put(old, { id: 'a', kind: 'k' })
    const moved = await store.put(old, { id: 'b', kind: 'm' })
    await store.put(plain, { id: 'p' })
    const { cursor } = await store.listChanges()
    const renamed = (record: Record<string, unknown>) => (record.id === 'b' ? { ...record, id: 'c' } : record)
    const upgrades = { 1: renamed as never }
    const again = await context.openAgain(documents('kit_moving', { columns, version: 2, upgrades }), plain)
    const found = await changesSince(again, cursor)
    const revisions = await again.getMany(old, ['a', 'c'])
    expect(found.map((change) => [...told(change), change.columns]).sort()).toEqual([
      ['kit_moving', 'a', 'put', revisions[0]?.revision, undefined],
      ['kit_moving', 'b', 'delete', moved, { kind: 'm' }],
      ['kit_moving', 'c', 'put', revisions[1]?.revision, undefined],
    ])
  },
})

/** The change feed: its content, and reading it in pages. */
export const changes = [...capability, ...contents]

/** Repeats something until it returns a value. */
async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let round = 0; round < 1000; round++) {
    const value = await attempt()
    if (value !== undefined) return value
  }
  throw new Error('It should have happened, and did not.')
}
