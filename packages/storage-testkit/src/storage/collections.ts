import {
  type Collection,
  type CollectionDefinition,
  defineCollection,
  type Store,
  type StoreChange,
  type StoreReader,
} from '@minions/core/storage'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { times } from '../times.js'

/** A record of the kit's collections, which accept every object. */
export type Doc = Record<string, unknown>

export type DocCollection = Collection<Doc>

const anyDocument = Type.Unsafe<Doc>(Type.Object({}))

/** A collection that accepts every object; with the key `id` unless told otherwise. */
export function documents(
  name: string,
  definition: Partial<CollectionDefinition<typeof anyDocument>> = {},
): DocCollection {
  return defineCollection({ key: 'id', ...definition, name, schema: anyDocument })
}

/** Columns of all types, indexes of several kinds, text. */
export const things = documents('kit_things', {
  columns: {
    name: { type: 'string', indexed: true },
    rank: { type: 'number', indexed: true },
    done: 'boolean',
    labels: { type: 'strings', indexed: true },
    hints: 'strings',
    city: { type: 'string', path: 'place.city' },
    createdAt: 'string',
  },
  indexes: [
    ['done', 'rank'],
    ['name', 'createdAt'],
  ],
  createdAt: 'createdAt',
  text: 'text',
})

/** Only a key. */
export const plain = documents('kit_plain')

/** Unique columns, alone and combined. */
export const accounts = documents('kit_accounts', {
  columns: { email: { type: 'string', unique: true }, tenant: 'string', number: 'number' },
  unique: [['tenant', 'number']],
})

export const owners = documents('kit_owners')

/** Refers to an owner; a stray may name one that does not exist. */
export const pets = documents('kit_pets', {
  columns: { owner: 'string', kind: 'string', vet: 'string' },
  references: [
    { columns: ['owner'], collection: 'kit_owners', when: { column: 'kind', ne: 'stray' } },
    { columns: ['vet'], collection: 'kit_owners', when: { column: 'kind', eq: 'patient' } },
  ],
})

/** A compound key of two properties. */
export const editions = documents('kit_editions', {
  key: ['book', 'edition'],
  columns: { book: 'string', edition: 'number' },
})

/** Refers to a compound key. */
export const loans = documents('kit_loans', {
  columns: { book: 'string', edition: 'number' },
  references: [{ columns: ['book', 'edition'], collection: 'kit_editions' }],
})

/** Refers to itself. */
export const nodes = documents('kit_nodes', {
  columns: { parent: 'string' },
  references: [{ columns: ['parent'], collection: 'kit_nodes' }],
})

/** Records that have nothing but an id. */
export function withIds(...ids: string[]): Doc[] {
  return ids.map((id) => ({ id }))
}

export function putTimes(
  store: Store,
  collection: DocCollection,
  count: number,
  record: (index: number) => Doc,
): Promise<unknown> {
  return store.putMany(collection, times(count, record))
}

/** Replaces everything in a collection. */
export async function refill(store: Store, collection: DocCollection, records: readonly Doc[]): Promise<void> {
  await store.deleteMany(collection, (await idsOf(store, collection)) as string[])
  await store.putMany(collection, records)
}

/** All changes after a cursor, page by page. */
export async function changesSince(store: Store, since: string, limit = 1000): Promise<StoreChange[]> {
  const all: StoreChange[] = []
  for (let cursor = since, more = true; more; ) {
    const page = await store.listChanges({ since: cursor, limit })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    all.push(...page.items)
    more = page.more
    cursor = page.cursor
  }
  return all
}

/** The ids that a query finds, page by page. */
export async function idsOf(
  reader: StoreReader,
  collection: DocCollection,
  query: Parameters<StoreReader['find']>[1] = {},
): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const { record } of reader.iterate(collection, query)) ids.push(record.id)
  return ids
}
