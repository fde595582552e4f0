import { MinionsError } from '@minions/core'
import { inKeyOrder, type JsonObject } from '@minions/core/json'
import type { QueryPlan, Selection, StorageReader, StoredRecord } from '@minions/core/storage'
import type { Executor, ResultRow } from './executor.js'
import type { Table } from './names.js'
import type { Rows } from './rows.js'
import { countStatement, getStatement, queryStatement } from './sql/query.js'
import type { TableWriter } from './writer.js'

/** A collection of the store as known to this program. */
export interface StoredCollection {
  readonly table: Table
  readonly rows: Rows
  readonly writer: TableWriter
}

export type Collections = ReadonlyMap<string, StoredCollection>

/** Executes queries through an executor. */
export class PostgresReader implements StorageReader {
  protected readonly executor: Executor
  readonly #collections: () => Collections

  /** The collections may change while the store is open, so they are looked up each time. */
  constructor(executor: Executor, collections: () => Collections) {
    this.executor = executor
    this.#collections = collections
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    const { table } = this.collection(collection)
    if (keys.length === 0) return []
    const { rows } = await this.executor.run(getStatement(table, keys))
    if (keys.length === 1) return [toStored(rows)[0]]
    const byKey = new Map(rows.map((row) => [row[0], row]))
    return keys.map((key) => {
      const row = byKey.get(key)
      return row && toStored([row])[0]
    })
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    const { rows } = await this.executor.run(queryStatement(this.collection(collection).table, plan))
    return toStored(rows)
  }

  async count(collection: string, selection: Selection): Promise<number> {
    const { rows } = await this.executor.run(countStatement(this.collection(collection).table, selection))
    return Number(rows[0]?.[0])
  }

  protected collection(name: string): StoredCollection {
    return findCollection(this.#collections(), name)
  }
}

export function findCollection(collections: Collections, name: string): StoredCollection {
  const collection = collections.get(name)
  if (collection) return collection
  throw new MinionsError('NOT_FOUND', `The store has no collection "${name}".`, { details: { collection: name } })
}

export function toStored(rows: readonly ResultRow[]): StoredRecord[] {
  // `jsonb` has its own order of names. A list is checked once, where a call for each record would check each.
  const records = inKeyOrder(rows.map(([, , doc]) => JSON.parse(doc as string) as JsonObject))
  return rows.map(([key, revision, , version], index) => ({
    key: key as string,
    revision: revision as string,
    record: records[index] as JsonObject,
    version: version ?? undefined,
  }))
}
