import type { Static, TSchema } from 'typebox'
import type { Key, Revised, StoreReader } from './access.js'
import type { StorageCapabilities, StorageReader, StoredRecord } from './backend.js'
import type { Collection } from './collection.js'
import { encodeCursor } from './cursor.js'
import { planQuery, planSelection } from './plan-query.js'
import type { CollectionQuery, Page } from './query.js'

const PAGE_SIZE = 1000

/** Everything that reads, built on the two or three questions that a backend answers. */
export abstract class Reader implements StoreReader {
  /** The backend or transaction to ask; throws when it can no longer be used. */
  protected abstract source(): StorageReader
  protected abstract readonly capabilities: StorageCapabilities

  async get<S extends TSchema>(collection: Collection<S>, key: Key): Promise<Static<S> | undefined> {
    return (await this.getRevised(collection, key))?.record
  }

  async getRevised<S extends TSchema>(collection: Collection<S>, key: Key): Promise<Revised<Static<S>> | undefined> {
    const [found] = await this.source().get(collection.name, [encode(collection, key)])
    return found && revised(found)
  }

  async getMany<S extends TSchema>(
    collection: Collection<S>,
    keys: readonly Key[],
  ): Promise<(Revised<Static<S>> | undefined)[]> {
    const encoded = keys.map((key) => encode(collection, key))
    const found = await this.source().get(collection.name, encoded)
    return found.map((stored) => stored && revised<S>(stored))
  }

  async find<S extends TSchema>(collection: Collection<S>, query: CollectionQuery = {}): Promise<Page<Static<S>>> {
    const { items, nextCursor } = await this.#page(collection, query)
    return { items: items.map((stored) => stored.record as Static<S>), nextCursor }
  }

  async findRevised<S extends TSchema>(
    collection: Collection<S>,
    query: CollectionQuery = {},
  ): Promise<Page<Revised<Static<S>>>> {
    const { items, nextCursor } = await this.#page(collection, query)
    return { items: items.map((stored) => revised<S>(stored)), nextCursor }
  }

  async count<S extends TSchema>(collection: Collection<S>, query: CollectionQuery = {}): Promise<number> {
    const selection = planSelection(collection, query)
    if (this.capabilities.count) return this.source().count(collection.name, selection)
    // The page that the query asks for says nothing about the count.
    const { orderBy: _order, limit: _limit, cursor: _cursor, ...everything } = query
    let count = 0
    for await (const _ of this.iterate(collection, everything)) count += 1
    return count
  }

  async *iterate<S extends TSchema>(
    collection: Collection<S>,
    query: CollectionQuery = {},
  ): AsyncIterable<Revised<Static<S>>> {
    let cursor = query.cursor
    do {
      const page = await this.#page(collection, { limit: PAGE_SIZE, ...query, ...(cursor !== undefined && { cursor }) })
      for (const stored of page.items) yield revised<S>(stored)
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  /** Asks for one record more than wanted, to know whether another page follows. */
  async #page(collection: Collection, query: CollectionQuery): Promise<Page<StoredRecord>> {
    const plan = planQuery(collection, query)
    const items = await this.source().query(collection.name, { ...plan, limit: plan.limit + 1 })
    if (items.length <= plan.limit) return { items, nextCursor: undefined }
    items.length = plan.limit
    return { items, nextCursor: encodeCursor(collection.name, query, plan, items[plan.limit - 1] as StoredRecord) }
  }
}

/** The text that a backend knows a record by. */
export function encode(collection: Collection, key: Key): string {
  return collection.encodeKey(...(Array.isArray(key) ? key : [key as string | number]))
}

function revised<S extends TSchema>({ record, revision }: StoredRecord): Revised<Static<S>> {
  return { record: record as Static<S>, revision }
}
