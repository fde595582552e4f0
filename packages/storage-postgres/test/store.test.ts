import { Minions } from '@minions/core'
import { type Collection, defineCollection, MAX_INDEX_BYTES, MAX_KEY_BYTES, Store } from '@minions/core/storage'
import { Pool } from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresStorage, storageFromUrl } from '../src/index.ts'
import { createPglite } from './support/pglite.ts'
import { execute, type TestDatabase } from './support/server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createPglite()
})
afterAll(() => database.drop())

const Item = Type.Object({ id: Type.String(), name: Type.Optional(Type.String()), text: Type.Optional(Type.String()) })
const items = (version: number, more: object = {}) =>
  defineCollection({
    name: 'items',
    version,
    schema: Item,
    key: 'id',
    columns: { name: { type: 'string', indexed: true } },
    text: 'text',
    ...more,
  })

const backend = (schema: string) => postgresStorage({ connectionString: database.url, ...database.options, schema })
const open = (schema: string, ...collections: Collection[]) => Store.open(backend(schema), collections)

/** Random letters do not compress, so that what is too long for an index cannot hide. */
const noise = (bytes: number) =>
  Array.from({ length: bytes }, () => String.fromCharCode(97 + Math.random() * 26)).join('')

describe('a store in PostgreSQL', () => {
  it('is named by a URL with its schema', async () => {
    const url = `${database.url}?schema=by%20url&poolSize=1&preparedStatements=false`
    const minions = await Minions.open({ storage: storageFromUrl(url) })
    await minions.create('note', { title: 'one', fields: { content: 'one' } })
    await minions.close()
    const [row] = await execute(database.url, 'SELECT count(*)::int AS n FROM "by url".minions')
    expect(row?.n).toBe(1)
  })

  it('is created in a few round trips, however many collections and indexes it has', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 })
    const sent: unknown[] = []
    pool.on('connect', (client) => {
      const query = client.query.bind(client)
      client.query = ((...statement: Parameters<typeof query>) => {
        sent.push(statement[0])
        return query(...statement)
      }) as typeof query
    })
    const create = async (collections: Collection[]) => {
      sent.length = 0
      const storage = postgresStorage({ pool, preparedStatements: false, schema: `trips ${collections.length}` })
      const store = await Store.open(storage, collections)
      await store.close()
      return sent.length
    }
    const collections = Array.from({ length: 10 }, (_, index) =>
      defineCollection({
        name: `c${index}`,
        schema: Item,
        key: 'id',
        columns: { name: { type: 'string' }, text: { type: 'string' } },
        indexes: [['name'], ['text'], ['name', 'text']],
        unique: [['name', 'text']],
        references: index > 0 ? [{ columns: ['name'], collection: 'c0' }] : [],
      }),
    )
    const one = await create(collections.slice(0, 1))
    // One more for each collection, and one for all references.
    expect(await create(collections)).toBe(one + 10)
    await pool.end()
  })

  it('stands beside others, whatever their schemas are called', async () => {
    const schemas = ['plain', 'Quoted "name"; DROP', "it's", 'ünïcode', 'x'.repeat(63)]
    for (const schema of schemas) {
      const store = await open(schema, items(1))
      await store.put(items(1), { id: schema })
      await store.close()
    }
    for (const schema of schemas) {
      const store = await open(schema, items(1))
      expect((await store.find(items(1))).items).toEqual([{ id: schema }])
      await store.close()
    }
  })

  it('holds the longest keys and indexed values together', async () => {
    const collection = items(1, { indexes: [['name']] })
    const store = await open('longest', collection)
    const record = { id: noise(MAX_KEY_BYTES), name: noise(MAX_INDEX_BYTES) }
    await store.put(collection, record)
    expect(await store.get(collection, record.id)).toEqual(record)
    await store.close()
  })

  it('finds a text with more distinct words than PostgreSQL can index by the first of them', async () => {
    const store = await open('words', items(1))
    // Each of these characters becomes four when folded.
    const text = `first ${Array.from({ length: 14_000 }, (_, n) => `${'㍿'.repeat(15)}${n}`).join(' ')}`
    await store.put(items(1), { id: 'long', text })
    await store.put(items(1), { id: 'short', text: 'first' })
    expect((await store.find(items(1), { text: 'first 株式会社' })).items.map(({ id }) => id)).toEqual(['long'])
    await store.close()
  })

  it('does not let a program go on that does not know of an upgrade', async () => {
    const old = await open('upgraded', items(1))
    await old.put(items(1), { id: 'a', name: 'old' })
    const upgrades = { 1: (record: object) => ({ ...record, name: 'new' }) }
    const fresh = await open('upgraded', items(2, { upgrades }))
    expect(await fresh.get(items(2), 'a')).toEqual({ id: 'a', name: 'new' })
    await expect(old.put(items(1), { id: 'b' })).rejects.toMatchObject({ code: 'STORAGE_VERSION' })
    await expect(old.get(items(1), 'a')).rejects.toMatchObject({ code: 'STORAGE_VERSION' })
    await old.close()
    await fresh.close()
  })

  it('refuses what a newer version of this package has written', async () => {
    await (await open('newer', items(1))).close()
    await execute(database.url, 'UPDATE newer._catalogue SET layout = 99')
    await expect(open('newer', items(1))).rejects.toMatchObject({ code: 'STORAGE_VERSION' })
  })

  it('enforces a reference to a collection that comes later', async () => {
    const parts = defineCollection({
      name: 'parts',
      version: 1,
      schema: Type.Object({ id: Type.String(), itemId: Type.Optional(Type.String()) }),
      key: 'id',
      columns: { itemId: 'string' },
      references: [{ columns: ['itemId'], collection: 'items' }],
    })
    const alone = await open('later', parts)
    await alone.put(parts, { id: 'p1' })
    await expect(alone.put(parts, { id: 'p2', itemId: 'i1' })).rejects.toMatchObject({
      code: 'REFERENCE_VIOLATION',
      details: { collection: 'parts', key: 'p2', reference: 'items', target: 'i1' },
    })
    await alone.close()
    const both = await open('later', parts, items(1))
    await both.put(items(1), { id: 'i1' })
    await both.put(parts, { id: 'p2', itemId: 'i1' })
    await expect(both.put(parts, { id: 'p3', itemId: 'i2)' })).rejects.toMatchObject({
      details: { collection: 'parts', key: 'p3', reference: 'items', target: 'i2)' },
    })
    await expect(both.delete(items(1), 'i1')).rejects.toMatchObject({
      details: { collection: 'parts', key: 'p2', reference: 'items', target: 'i1' },
    })
    await both.close()
  })

  it('says which of many records breaks a unique rule', async () => {
    const people = defineCollection({
      name: 'people',
      version: 1,
      schema: Type.Object({ id: Type.String(), mail: Type.String(), active: Type.Boolean(), rank: Type.Number() }),
      key: 'id',
      columns: { mail: 'string', active: 'boolean', rank: 'number' },
      unique: [['mail', 'active', 'rank']],
    })
    const store = await open('people', people)
    const person = (id: string, rank: number) => ({ id, mail: "o'hara, (x)", active: true, rank })
    await store.put(people, person('a', 0.1))
    const batch = [person('b', 2), person('c', 0.1), person('d', 3)]
    await expect(store.putMany(people, batch)).rejects.toMatchObject({
      code: 'UNIQUE_VIOLATION',
      details: { collection: 'people', key: 'c', columns: ['mail', 'active', 'rank'] },
    })
    expect(await store.count(people)).toBe(1)
    await store.close()
  })

  it('keeps the longest names apart', async () => {
    const long = (last: string) =>
      defineCollection({
        ...{ name: `${'n'.repeat(47)}${last}`, version: 10 ** 12, schema: Item, key: 'id', text: 'text' },
        columns: { [`${'c'.repeat(80)}1`]: 'string', [`${'c'.repeat(80)}2`]: 'string' },
      })
    const [a, b] = [long('a'), long('b')]
    const store = await open('longest names', a, b)
    await store.put(a, { id: 'a' })
    expect([await store.count(a), await store.count(b)]).toEqual([1, 0])
    await store.close()
  })

  it('says so when a table of someone else has the name of a collection', async () => {
    await execute(database.url, 'CREATE SCHEMA taken; CREATE TABLE taken.items (mine text)')
    await expect(open('taken', items(1))).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
      message: expect.stringContaining('choose another schema'),
    })
  })
})
