import { type Collection, defineCollection, type StoreReader } from '@minions/core/storage'
import { Type } from 'typebox'

/** A record of the kit's collections, which accept every object. */
export type Doc = Record<string, unknown>

export type DocCollection = Collection<Doc>

export const anyDocument = Type.Unsafe<Doc>(Type.Object({}))

/** Columns of all types, indexes of several kinds, text. */
export const things = defineCollection({
  name: 'kit_things',
  version: 1,
  schema: anyDocument,
  key: 'id',
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
export const plain = defineCollection({ name: 'kit_plain', version: 1, schema: anyDocument, key: 'id' })

/** Unique columns, alone and combined. */
export const accounts = defineCollection({
  name: 'kit_accounts',
  version: 1,
  schema: anyDocument,
  key: 'id',
  columns: { email: { type: 'string', unique: true }, tenant: 'string', number: 'number' },
  unique: [['tenant', 'number']],
})

export const owners = defineCollection({ name: 'kit_owners', version: 1, schema: anyDocument, key: 'id' })

/** Refers to an owner; a stray may name one that does not exist. */
export const pets = defineCollection({
  name: 'kit_pets',
  version: 1,
  schema: anyDocument,
  key: 'id',
  columns: { owner: 'string', kind: 'string', vet: 'string' },
  references: [
    { columns: ['owner'], collection: 'kit_owners', when: { column: 'kind', ne: 'stray' } },
    { columns: ['vet'], collection: 'kit_owners', when: { column: 'kind', eq: 'patient' } },
  ],
})

/** A compound key of two properties. */
export const editions = defineCollection({
  name: 'kit_editions',
  version: 1,
  schema: anyDocument,
  key: ['book', 'edition'],
  columns: { book: 'string', edition: 'number' },
})

/** Refers to a compound key. */
export const loans = defineCollection({
  name: 'kit_loans',
  version: 1,
  schema: anyDocument,
  key: 'id',
  columns: { book: 'string', edition: 'number' },
  references: [{ columns: ['book', 'edition'], collection: 'kit_editions' }],
})

/** Refers to itself. */
export const nodes = defineCollection({
  name: 'kit_nodes',
  version: 1,
  schema: anyDocument,
  key: 'id',
  columns: { parent: 'string' },
  references: [{ columns: ['parent'], collection: 'kit_nodes' }],
})

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
