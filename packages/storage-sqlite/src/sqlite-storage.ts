import { mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import {
  Collection,
  type CollectionDeclaration,
  MinionsError,
  type QueryPlan,
  Queue,
  type Selection,
  type StorageBackend,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core'
import { whileBusy } from './busy.js'
import { isUpToDate, migrate, readCatalogue } from './catalogue.js'
import { Connection } from './connection.js'
import { sqliteCode, translate } from './errors.js'
import { acquireQueue, releaseQueue } from './queues.js'
import { SqliteReader } from './reader.js'
import { explainReference } from './references.js'
import type { Synchronous } from './synchronous.js'
import { SqliteTransaction } from './transaction.js'

export interface SqliteStorageOptions {
  /** The database file, or `:memory:`. A missing folder is created when the store is opened. */
  readonly path: string
  /**
   * `full` (the default): an acknowledged write survives a power cut. `normal`: faster; a power cut may lose the last
   * writes, never the store. `off`: for data that can be made again.
   */
  readonly synchronous?: Synchronous
  /** Milliseconds to wait for another process that writes; 10,000 unless given. */
  readonly busyTimeout?: number
}

/** A backend on a SQLite file: no server, several processes at once, safe against crashes. */
export function sqliteStorage(options: SqliteStorageOptions): StorageBackend {
  return new SqliteStorage(options)
}

/** What an open file consists of. */
interface OpenFile {
  readonly writer: Connection
  readonly reader: SqliteReader
  readonly readConnection: Connection | undefined
  readonly collections: Map<string, Collection>
  readonly queue: Queue
  readonly queueName: string | undefined
}

class SqliteStorage implements StorageBackend {
  readonly name = 'sqlite'
  readonly capabilities
  readonly dataVersion: (() => number) | undefined
  readonly #path: string
  readonly #inMemory: boolean
  readonly #synchronous: Synchronous
  readonly #busyTimeout: number
  #file: OpenFile | undefined
  #opening = new Queue()

  constructor({ path, synchronous = 'full', busyTimeout = 10_000 }: SqliteStorageOptions) {
    if (typeof path !== 'string' || path === '') {
      throw new MinionsError('VALIDATION_FAILED', 'sqliteStorage needs the path of a file, or ":memory:".')
    }
    if (!['full', 'normal', 'off'].includes(synchronous)) {
      throw new MinionsError('VALIDATION_FAILED', 'synchronous is "full", "normal" or "off".')
    }
    this.#inMemory = path === ':memory:'
    this.#path = this.#inMemory ? path : resolve(path)
    this.#synchronous = synchronous
    this.#busyTimeout = busyTimeout
    this.capabilities = { shared: !this.#inMemory, count: true, search: true }
    this.dataVersion = this.#inMemory ? undefined : () => this.#readVersion()
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#opening.run(async () => {
      const isNew = this.#file === undefined
      try {
        this.#file ??= await this.#connect()
        const { writer, collections: open, queue } = this.#file
        await queue.run(() => this.#migrate(writer, collections))
        open.clear()
        for (const [name, declaration] of readCatalogue(writer)) open.set(name, new Collection(declaration))
      } catch (error) {
        if (isNew) this.#disconnect()
        throw translate(error, this.#path)
      }
    })
  }

  close(): Promise<void> {
    return this.#opening.run(async () => {
      await this.#file?.queue.run(async () => {})
      this.#disconnect()
    })
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#read((reader) => reader.get(collection, keys))
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#read((reader) => reader.query(collection, plan))
  }

  async count(collection: string, selection: Selection): Promise<number> {
    return this.#read((reader) => reader.count(collection, selection))
  }

  async catalogue(): Promise<CollectionDeclaration[]> {
    return [...this.#open().collections.values()].map(({ declaration }) => structuredClone(declaration))
  }

  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    const { queue } = this.#open()
    return queue.run(async () => {
      const { writer, collections } = this.#open()
      const tx = new SqliteTransaction(writer, { path: this.#path, collections })
      try {
        await whileBusy(this.#busyTimeout, () => writer.run('BEGIN IMMEDIATE'))
        const result = await work(tx)
        this.#commit(writer)
        return result
      } catch (error) {
        if (writer.database.inTransaction) writer.run('ROLLBACK')
        throw translate(error, this.#path)
      }
    })
  }

  #commit(writer: Connection): void {
    try {
      writer.run('COMMIT')
    } catch (error) {
      throw sqliteCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY'
        ? explainReference(writer, readCatalogue(writer), error)
        : error
    }
  }

  /** A file is read on a connection of its own, which sees what is committed; in memory there is only one connection. */
  #read<T>(ask: (reader: SqliteReader) => Promise<T>): Promise<T> {
    const { reader, readConnection, queue } = this.#open()
    return readConnection ? ask(reader) : queue.run(() => ask(reader))
  }

  /** The connection for reading never writes, so its version changes with every commit. */
  #readVersion(): number {
    try {
      return this.#open().readConnection?.statement('PRAGMA data_version').get() as number
    } catch (error) {
      throw translate(error, this.#path)
    }
  }

  async #connect(): Promise<OpenFile> {
    if (!this.#inMemory) mkdirSync(dirname(this.#path), { recursive: true })
    const writer = await Connection.open(this.#path)
    let readConnection: Connection | undefined
    try {
      await whileBusy(this.#busyTimeout, () => {
        writer.database.pragma('journal_mode = WAL')
        writer.database.pragma(`synchronous = ${this.#synchronous}`)
        writer.database.pragma('foreign_keys = ON')
      })
      if (!this.#inMemory) readConnection = await Connection.open(this.#path, { readonly: true })
    } catch (error) {
      writer.close()
      throw error
    }
    const collections = new Map<string, Collection>()
    const reader = new SqliteReader(readConnection ?? writer, { path: this.#path, collections })
    const queueName = this.#inMemory ? undefined : join(realpathSync(dirname(this.#path)), basename(this.#path))
    const queue = queueName === undefined ? new Queue() : acquireQueue(queueName)
    return { writer, reader, readConnection, collections, queue, queueName }
  }

  /** Foreign keys are switched off meanwhile, because a table that others refer to may be made anew. */
  async #migrate(writer: Connection, collections: readonly Collection[]): Promise<void> {
    if (isUpToDate(writer, collections)) return
    await whileBusy(this.#busyTimeout, () => {
      writer.database.pragma('foreign_keys = OFF')
      writer.run('BEGIN IMMEDIATE')
    })
    try {
      migrate(writer, collections, this.#path)
      const [broken] = writer.database.pragma('foreign_key_check') as unknown[]
      if (broken) throw explainReference(writer, readCatalogue(writer), undefined)
      writer.run('COMMIT')
    } catch (error) {
      if (writer.database.inTransaction) writer.run('ROLLBACK')
      throw error
    } finally {
      writer.database.pragma('foreign_keys = ON')
    }
  }

  #disconnect(): void {
    if (!this.#file) return
    const { writer, readConnection, queueName } = this.#file
    this.#file = undefined
    readConnection?.close()
    writer.close()
    if (queueName !== undefined) releaseQueue(queueName)
  }

  #open(): OpenFile {
    if (!this.#file) throw new MinionsError('CLOSED', `The SQLite store "${this.#path}" is not open.`)
    return this.#file
  }
}
