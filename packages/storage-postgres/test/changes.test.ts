import { randomUUID } from 'node:crypto'
import { defineCollection, Store, type StoreChange } from '@minions/core/storage'
import fc from 'fast-check'
import { Client, Pool } from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelOf } from '../src/changes/notices.ts'
import { BEGINNING, formatPosition, parsePosition } from '../src/changes/position.ts'
import { postgresStorage } from '../src/index.ts'
import { createDatabase, execute, needsServer, serverUrl, type TestDatabase } from './support/server.ts'

const notes = defineCollection({
  name: 'notes',
  version: 1,
  schema: Type.Object({ id: Type.String() }),
  key: 'id',
})

it('a position is read as it was written', () => {
  const texts = [
    formatPosition(BEGINNING),
    '12:345/300:346:',
    '12.3:345/300:346:300,301',
    '12:345/300:346:300/301:350:301@7.199',
  ]
  for (const text of texts) expect(formatPosition(parsePosition(text))).toBe(text)
  for (const text of ['12', '12:', '12:3/', '12:3/1:2', '12.:3/1:2:', '1:2/1:2:,', '1:2/1:2:3,', '1:2/1:2:/1:2:']) {
    expect(() => parsePosition(text)).toThrow(expect.objectContaining({ code: 'INVALID_CURSOR' }))
  }
})

describe.skipIf(serverUrl === undefined)('the change feed on a PostgreSQL server', needsServer, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  const open = async (schema = `s_${randomUUID()}`) => {
    const store = await Store.open(postgresStorage({ connectionString: database.url, schema }), [notes])
    return { store, schema }
  }

  it('gives what is committed late, once and before what builds on it, as a model foretells', async () => {
    const { store, schema } = await open()
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(database.url)))
    // What happens: a client begins and notes a change, ends, or the feed is read on in a page of some size.
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ does: fc.constant('note'), client: fc.nat(3), key: fc.nat(7) }) },
      {
        weight: 3,
        arbitrary: fc.record({ does: fc.constantFrom('commit', 'commit', 'commit', 'rollback'), client: fc.nat(3) }),
      },
      { weight: 3, arbitrary: fc.record({ does: fc.constant('read'), limit: fc.integer({ min: 1, max: 5 }) }) },
    )
    const property = fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }), async (steps) => {
      const world = new World(schema, clients)
      let { cursor } = await store.listChanges()
      const seen: StoreChange[] = []
      const read = async (limit: number) => {
        const page = await store.listChanges({ since: cursor, limit })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        seen.push(...page.items)
        // Going on behind a change or behind the page must come to the same.
        cursor = seen.length % 2 === 0 ? page.cursor : (page.items.at(-1)?.cursor ?? page.cursor)
        return page
      }
      for (const one of steps) {
        if (one.does === 'read') await read((one as { limit: number }).limit)
        else await world.perform(one as WorldStep)
      }
      await world.end()
      while ((await read(3)).items.length > 0);
      const revisions = seen.map(({ revision }) => revision)
      expect([...revisions].sort()).toEqual([...world.committed].sort())
      for (const history of world.histories.values()) {
        const own = revisions.filter((revision) => history.includes(revision))
        expect(own).toEqual(history)
      }
    })
    await fc.assert(property, { numRuns: 20 * Number(process.env.MINIONS_FUZZ ?? 1), seed: 20_260 })
    await Promise.all(clients.map((client) => client.end()))
    await store.close()
  }, 120_000)

  it('does not wait for a transaction that runs for long', async () => {
    const { store, schema } = await open()
    const slow = await connect(database.url)
    await slow.query('BEGIN')
    await slow.query(noteText(schema), ['notes', '[["slow","s"]]'])
    const feed = await followNow(store)
    const revision = await store.put(notes, { id: 'quick' })
    expect((await feed.next()).value).toMatchObject({ key: 'quick', revision })
    await slow.query('COMMIT')
    await slow.end()
    await store.put(notes, { id: 'next' })
    expect((await feed.next()).value).toMatchObject({ key: 'slow', revision: 's' })
    expect((await feed.next()).value).toMatchObject({ key: 'next' })
    await store.close()
  })

  it('gives what is committed while late changes are read once, and behind them', async () => {
    const { store, schema } = await open()
    const [first, second] = [await connect(database.url), await connect(database.url)]
    const note = (client: Client, ...keys: string[]) =>
      client.query(noteText(schema), ['notes', JSON.stringify(keys.map((key) => [key, `${key}1`]))])
    for (const client of [first, second]) await client.query('BEGIN')
    await note(first, 'a', 'b')
    await note(second, 'c')
    await note(first, 'd')
    await store.put(notes, { id: 'quick' })
    let { cursor } = await store.listChanges()
    const read = async (limit: number) => {
      const { items, cursor: next } = await store.listChanges({ since: cursor, limit })
      cursor = next
      return items.map(({ key }) => key)
    }
    await first.query('COMMIT')
    expect(await read(1)).toEqual(['a'])
    await second.query('COMMIT')
    await store.put(notes, { id: 'last' })
    expect(await read(1)).toEqual(['b'])
    expect([...(await read(100)), ...(await read(100)), ...(await read(100))]).toEqual(['d', 'c', 'last'])
    for (const client of [first, second]) await client.end()
    await store.close()
  })

  it('refuses a cursor whose late changes were removed', async () => {
    const schema = `s_${randomUUID()}`
    const backend = postgresStorage({ connectionString: database.url, schema, changes: { keepAtMost: 2 } })
    const store = await Store.open(backend, [notes])
    const slow = await connect(database.url)
    await slow.query('BEGIN')
    await slow.query(noteText(schema), ['notes', '[["slow","s"]]'])
    for (let round = 0; round < 4; round++) await store.put(notes, { id: 'x' })
    const { cursor } = await store.listChanges()
    await slow.query('COMMIT')
    await slow.end()
    const oldest = () => execute(database.url, `SELECT entries FROM "${schema}"._changes ORDER BY seq LIMIT 1`)
    while ((await oldest())[0]?.entries === '[["slow","s"]]') await store.put(notes, { id: 'x' })
    await expect(store.listChanges({ since: cursor })).rejects.toMatchObject({ code: 'CHANGES_EXPIRED' })
    await store.close()
  })

  it('goes on in a database that was restored on another server', async () => {
    const { store, schema } = await open()
    await store.put(notes, { id: 'a' })
    const before = await store.listChanges()
    await store.close()
    // There the numbers of transactions are lower.
    await execute(database.url, `UPDATE "${schema}"._changes SET xid = '900000000000'`)
    const { store: again } = await open(schema)
    await expect(again.listChanges({ since: before.cursor })).rejects.toMatchObject({ code: 'CHANGES_EXPIRED' })
    const { cursor } = await again.listChanges()
    await again.put(notes, { id: 'b' })
    const { items } = await again.listChanges({ since: cursor })
    expect(items.map(({ key }) => key)).toEqual(['b'])
    expect((await again.listChanges({ since: 'start' })).items.map(({ key }) => key)).toEqual(['a', 'b'])
    await again.close()
  })

  it('is made in a store that has none, by one of several that open it', async () => {
    const { store, schema } = await open()
    await store.put(notes, { id: 'old' })
    await store.close()
    await execute(database.url, `DROP TABLE "${schema}"._changes, "${schema}"._feed`)
    const stores = await Promise.all([open(schema), open(schema), open(schema)])
    await Promise.all(stores.map(({ store: one }, n) => one.put(notes, { id: `n${n}` })))
    const { items } = await (stores[0] as { store: Store }).store.listChanges({ since: 'start' })
    expect(items.map(({ key }) => key).sort()).toEqual(['n0', 'n1', 'n2'])
    await Promise.all(stores.map(({ store: one }) => one.close()))
  })

  it('hears of other programs by notices, and of what they lose by looking', async () => {
    const { store, schema } = await open()
    const listener = await connect(database.url)
    await listener.query(`LISTEN ${channelOf(schema)}`)
    const heard = new Promise((resolve) => listener.once('notification', resolve))
    await store.put(notes, { id: 'a' })
    await heard
    const feed = await followNow(store)
    const waiting = feed.next()
    // Committed by a program that dies before it can tell anyone.
    await execute(database.url, noteText(schema), ['notes', '[["silent","s"]]'])
    expect((await waiting).value).toMatchObject({ key: 'silent' })
    await listener.end()
    await store.close()
  })

  it('hears which collections other programs changed, and from older ones only that they did', async () => {
    const { store, schema } = await open()
    const other = await open(schema)
    const heard: unknown[] = []
    const stop = store.backend.watchChanges?.((collections) => heard.push(collections && [...collections].join()))
    // Until it listens, it notices changes by polling, which names no collections.
    for (let count = 0; !heard.includes('notes'); count++) {
      await other.store.put(notes, { id: `n${count}` })
      await pause()
    }
    for (const payload of ['', 'a-b', '{"a":1}', ' ']) {
      heard.length = 0
      await execute(database.url, 'SELECT pg_notify($1, $2)', [channelOf(schema), payload])
      while (!heard.includes(undefined)) await pause()
    }
    stop?.()
    await other.store.close()
    await store.close()
  })

  it('goes on when the connection that listens is cut, and leaves none behind', async () => {
    const { store, schema } = await open()
    const other = await open(schema)
    const listening = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN ${channelOf(schema)}'`
    const feed = await followNow(store)
    for (let round = 0; round < 3; round++) {
      const waiting = feed.next()
      while ((await execute(database.url, listening)).length === 0) await pause()
      await execute(database.url, `SELECT pg_terminate_backend(pid) FROM (${listening}) l`)
      await other.store.put(notes, { id: `n${round}` })
      expect((await waiting).value).toMatchObject({ key: `n${round}` })
    }
    await feed.return?.()
    while ((await execute(database.url, listening)).length > 0) await pause()
    await other.store.close()
    await store.close()
  }, 30_000)

  it('is followed on a pool of the application, which it does not end', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 })
    const { store: other, schema } = await open()
    const store = await Store.open(postgresStorage({ pool, schema }), [notes])
    const feed = await followNow(store)
    const waiting = feed.next()
    await other.put(notes, { id: 'a' })
    expect((await waiting).value).toMatchObject({ key: 'a' })
    await store.close()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await pool.end()
    await other.close()
  })
})

type WorldStep = { does: 'note'; client: number; key: number } | { does: 'commit' | 'rollback'; client: number }

/** Transactions that note changes and end when they are told to. As with rows, a record waits for who writes it. */
class World {
  readonly committed: string[] = []
  /** The revisions of each record, in the order of their commits. */
  readonly histories = new Map<number, string[]>()
  readonly #schema: string
  readonly #clients: readonly Client[]
  readonly #open = new Map<number, { key: number; revision: string }[]>()
  #revisions = 0

  constructor(schema: string, clients: readonly Client[]) {
    this.#schema = schema
    this.#clients = clients
  }

  async perform(step: WorldStep): Promise<void> {
    const changes = this.#open.get(step.client)
    if (step.does !== 'note') {
      if (changes) await this.#finish(step.client, step.does)
      return
    }
    const isTaken = [...this.#open].some(
      ([client, own]) => client !== step.client && own.some(({ key }) => key === step.key),
    )
    if (isTaken) return
    const client = this.#clients[step.client] as Client
    if (!changes) await client.query('BEGIN')
    const revision = `r${++this.#revisions}-${randomUUID().slice(0, 8)}`
    await client.query(noteText(this.#schema), ['notes', JSON.stringify([[`k${step.key}`, revision]])])
    this.#open.set(step.client, [...(changes ?? []), { key: step.key, revision }])
  }

  async end(): Promise<void> {
    for (const client of [...this.#open.keys()]) await this.#finish(client, 'commit')
  }

  async #finish(index: number, how: 'commit' | 'rollback'): Promise<void> {
    await (this.#clients[index] as Client).query(how)
    const changes = this.#open.get(index) ?? []
    this.#open.delete(index)
    if (how === 'rollback') return
    for (const { key, revision } of changes) {
      this.committed.push(revision)
      this.histories.set(key, [...(this.histories.get(key) ?? []), revision])
    }
  }
}

/** Follows what is committed from now on; a write on another connection could overtake the read of an omitted position. */
async function followNow(store: Store) {
  const { cursor } = await store.listChanges()
  return store.changes({ since: cursor })
}

function noteText(schema: string): string {
  return `INSERT INTO "${schema}"._changes (collection, entries) VALUES ($1, $2)`
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  return client
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
