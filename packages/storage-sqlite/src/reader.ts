import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { Collection, QueryPlan, RecordText, Selection, StorageReader, StoredRecord } from '@minions/core/storage'
import type Database from 'better-sqlite3'
import type { Connection, Getters } from './connection.js'
import { damagedRow, translate } from './errors.js'
import { type Table, tableOf } from './names.js'
import { countSql, getSql, getVersionedSql, querySql } from './sql/query.js'

/** State shared by readers and writers of a file. */
export interface File {
  readonly path: string
  readonly collections: ReadonlyMap<string, Collection>
}

export class SqliteReader implements StorageReader {
  protected readonly connection: Connection
  protected readonly file: File

  constructor(connection: Connection, file: File) {
    this.connection = connection
    this.file = file
  }

  /** Not async, and without closures for a single key: it is the most frequent query. */
  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    try {
      const found = this.collection(collection)
      const statement = this.#getter(this.connection.getters, found, getSql)
      const [key] = keys
      if (key !== undefined && keys.length === 1) return Promise.resolve([this.#getOne(found, statement, key)])
      return Promise.resolve(this.#atOnce(() => keys.map((each) => this.#getOne(found, statement, each))))
    } catch (error) {
      return Promise.reject(translate(error, this.file.path))
    }
  }

  /** A record, at once; null if there is none. */
  getNow(collection: string, key: string): RecordText | null {
    const found = this.collection(collection)
    try {
      const statement = this.#getter(this.connection.versionedGetters, found, getVersionedSql)
      const versioned = statement.get(key) as string | undefined
      if (versioned === undefined) return null
      const end = versioned.indexOf('\n')
      const stored = versioned.slice(end + 1)
      const { revision, record } = this.#toStored(found, stored, key)
      return {
        key,
        revision,
        record,
        json: stored.slice(revision.length + 1),
        version: Number(versioned.slice(0, end)),
      }
    } catch (error) {
      throw translate(error, this.file.path)
    }
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    const found = this.collection(collection)
    const { sql, values } = querySql(tableOf(found.declaration), plan)
    return this.attempt(() => {
      if (plan.words.length > 0) this.connection.texts.write()
      return (this.connection.statement(sql).all(...values) as string[]).map((stored) => this.#toStored(found, stored))
    })
  }

  async count(collection: string, selection: Selection): Promise<number> {
    const { sql, values } = countSql(tableOf(this.collection(collection).declaration), selection)
    return this.attempt(() => {
      if (selection.words.length > 0) this.connection.texts.write()
      return this.connection.statement(sql).get(...values) as number
    })
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

  #getOne(collection: Collection, statement: Database.Statement, key: string): StoredRecord | undefined {
    const stored = statement.get(key) as string | undefined
    return stored === undefined ? undefined : this.#toStored(collection, stored, key)
  }

  /** Runs several statements that must see the same state, whatever other processes commit between them. */
  #atOnce<T>(work: () => T): T {
    if (this.connection.database.inTransaction) return work()
    this.connection.run('BEGIN')
    try {
      return work()
    } finally {
      this.connection.run('COMMIT')
    }
  }

  #getter(getters: Getters, collection: Collection, sql: (table: Table) => string): Database.Statement {
    const known = getters.get(collection)
    if (known) return known
    const statement = this.connection.statement(sql(tableOf(collection.declaration)))
    getters.set(collection, statement)
    return statement
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
