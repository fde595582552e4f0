import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { Collection, QueryPlan, Selection, StorageReader, StoredRecord } from '@minions/core/storage'
import type { Connection } from './connection.js'
import { damagedRow, translate } from './errors.js'
import { tableOf } from './names.js'
import { countSql, getSql, querySql } from './sql/query.js'

/** State shared by readers and writers of a file. */
export interface File {
  readonly path: string
  readonly collections: ReadonlyMap<string, Collection>
}

/** Executes queries on one connection. */
export class SqliteReader implements StorageReader {
  protected readonly connection: Connection
  protected readonly file: File

  constructor(connection: Connection, file: File) {
    this.connection = connection
    this.file = file
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    const found = this.collection(collection)
    return this.attempt(() => {
      const statement = this.connection.statement(getSql(tableOf(found.declaration)))
      return this.#atOnce(keys.length > 1, () =>
        keys.map((key) => {
          const stored = statement.get(key) as string | undefined
          return stored === undefined ? undefined : this.#toStored(found, stored, key)
        }),
      )
    })
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    const found = this.collection(collection)
    const { sql, values } = querySql(tableOf(found.declaration), plan)
    return this.attempt(() =>
      (this.connection.statement(sql).all(...values) as string[]).map((stored) => this.#toStored(found, stored)),
    )
  }

  async count(collection: string, selection: Selection): Promise<number> {
    const { sql, values } = countSql(tableOf(this.collection(collection).declaration), selection)
    return this.attempt(() => this.connection.statement(sql).get(...values) as number)
  }

  protected collection(name: string): Collection {
    const collection = this.file.collections.get(name)
    if (collection) return collection
    throw new MinionsError('NOT_FOUND', `The store has no collection "${name}".`, { details: { collection: name } })
  }

  protected attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translate(error, this.file.path)
    }
  }

  /** Runs several statements that must see the same state, whatever other processes commit between them. */
  #atOnce<T>(several: boolean, work: () => T): T {
    if (!several || this.connection.database.inTransaction) return work()
    this.connection.run('BEGIN')
    try {
      return work()
    } finally {
      this.connection.run('COMMIT')
    }
  }

  #toStored(collection: Collection, stored: string, key?: string): StoredRecord {
    const end = stored.indexOf('\n')
    try {
      const record = JSON.parse(stored.slice(end + 1)) as JsonObject | null
      if (typeof record !== 'object' || record === null) throw new TypeError('This is not a record.')
      return { key: key ?? collection.keyOfStored(record), revision: stored.slice(0, end), record }
    } catch (error) {
      throw damagedRow(this.file.path, collection.name, key, error)
    }
  }
}
