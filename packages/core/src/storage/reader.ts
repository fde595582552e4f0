import { guarded, guardMethods } from '../errors/guard.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { Key, Revised, StoreReader } from './access.js'
import type { StorageCapabilities, StorageReader, StoredRecord } from './backend.js'
import { Collection } from './collection.js'
import { encodeCursor } from './cursor.js'
import { encodeSingleKey } from './key.js'
import { planQuery, planSelection } from './plan-query.js'
import type { CollectionQuery, Page } from './query.js'

const PAGE_SIZE = 1000
const MOST_KEY_PARTS = 100

/** All reads, built on the two or three queries a backend implements. */
export abstract class Reader implements StoreReader {
  /** The backend or transaction to query; throws when it can no longer be used. */
  protected abstract source(): StorageReader
  protected abstract readonly capabilities: StorageCapabilities

  async get<T>(collection: Collection<T>, key: Key): Promise<T | undefined> {
    return (await this.getRevised(collection, key))?.record
  }

  async getRevised<T>(collection: Collection<T>, key: Key): Promise<Revised<T> | undefined> {
    const encoded = encode(collection, key)
    const [found] = await this.source().get(collection.name, [encoded])
    return found && revised(found)
  }

  async getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(Revised<T> | undefined)[]> {
    const encoded = takeList('The keys', keys).map((key) => encode(collection, key))
    const found = await this.source().get(collection.name, encoded)
    return found.map((stored) => stored && revised<T>(stored))
  }

  async find<T>(collection: Collection<T>, query: CollectionQuery = {}): Promise<Page<T>> {
    const { items, nextCursor } = await readPage(this.source(), collection, query)
    return { items: items.map((stored) => stored.record as T), nextCursor }
  }

  async findRevised<T>(collection: Collection<T>, query: CollectionQuery = {}): Promise<Page<Revised<T>>> {
    const { items, nextCursor } = await readPage(this.source(), collection, query)
    return { items: items.map((stored) => revised<T>(stored)), nextCursor }
  }

  async count(collection: Collection, query: CollectionQuery = {}): Promise<number> {
    const taken = takeOptions('A query', query)
    const selection = planSelection(collection, taken)
    if (this.capabilities.count) return this.source().count(collection.name, selection)
    // The page that the query requests does not affect the count.
    const { orderBy: _order, limit: _limit, cursor: _cursor, ...everything } = taken
    let count = 0
    for await (const _ of this.iterate(collection, everything)) count += 1
    return count
  }

  async *iterate<T>(collection: Collection<T>, query: CollectionQuery = {}): AsyncIterable<Revised<T>> {
    const taken = takeOptions('A query', query)
    let { cursor } = taken
    do {
      const asked = { limit: PAGE_SIZE, ...taken, ...(cursor !== undefined && { cursor }) }
      const page = await readPage(this.source(), collection, asked)
      for (const stored of page.items) yield revised<T>(stored)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }
}

guardMethods(Reader, { callsBack: true })

/** Reads one record more than requested, to determine whether another page follows. */
export async function readPage(
  source: StorageReader,
  collection: Collection,
  query: CollectionQuery,
): Promise<Page<StoredRecord>> {
  const plan = planQuery(collection, query)
  const items = await source.query(collection.name, { ...plan, limit: plan.limit + 1 })
  if (items.length <= plan.limit) return { items, nextCursor: undefined }
  items.length = plan.limit
  return { items, nextCursor: encodeCursor(collection.name, query, plan, items[plan.limit - 1] as StoredRecord) }
}

/** The string by which a backend identifies a record. */
export function encode(collection: Collection, key: Key): string {
  if (typeof key === 'string' && collection instanceof Collection) return encodeSingleKey(key, collection.name)
  return encodeAny(collection, key)
}

const encodeAny = guarded('The store', (collection: Collection, key: Key): string =>
  collection.encodeKey(...(Array.isArray(key) ? takeList('A key', key, MOST_KEY_PARTS) : [key as string | number])),
)

export function revised<T>({ record, revision }: StoredRecord): Revised<T> {
  return { record: record as T, revision }
}
