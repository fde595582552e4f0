import { mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { MinionsError } from '@minions/core'
import { Mutex, MutexPool } from '@minions/core/coordination'
import { guarded } from '@minions/core/plugin'
import {
  type ChangeRetention,
  type ChangesRequest,
  ChangeWatchers,
  Collection,
  type CollectionDeclaration,
  type CollectionWrites,
  GroupCommit,
  type QueryPlan,
  type RecordText,
  Retention,
  readChanges,
  type Selection,
  type StorageBackend,
  type StorageChangePage,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core/storage'
import { whileBusy } from './busy.js'
import { isUpToDate, readCatalogue } from './catalogue.js'
import { Connection } from './connection.js'
import { translate } from './errors.js'
import { changeRows, VERSION } from './feed.js'
import { migrate } from './migrate.js'
import { SqliteReader } from './reader.js'
import { SqliteGroup } from './sqlite-group.js'
import type { SqliteTransaction } from './transaction.js'
import { explainReference } from './violations.js'

/** Only one store of this process on one file can write at a time. */
const mutexes = new MutexPool()

/** Durability of acknowledged writes on power failure. */
export type Synchronous = 'full' | 'normal' | 'off'

export interface SqliteStorageOptions {
  /** The database file, or `:memory:`. A missing folder is created when the store is opened. */
  readonly path: string
  /**
   * `full` (the default): an acknowledged write survives a power cut. `normal`: faster; a power cut may lose the last
   * writes, never the store. `off`: for data that can be recreated.
   */
  readonly synchronous?: Synchronous
  /** Milliseconds to wait for another process that writes. Default: 10,000. */
  readonly busyTimeout?: number
  /** Retention of the change feed. Default: 7 days and a million changes. */
  readonly changes?: ChangeRetention
}

/**
 * Pages of the write-ahead log after which they are copied to the database, 16 MB. Four times SQLite's own number: most
 * pages are written again by then, so that a quarter of the copies remain.
 */
const CHECKPOINT_EVERY = 4000

/** Milliseconds between two checks for commits of other processes, while someone follows the change feed. */
const POLL_EVERY = 50

/** A backend on a SQLite file: no server, several processes at once, crash-safe. */
export const sqliteStorage = guarded('sqliteStorage', (options: SqliteStorageOptions): StorageBackend => {
  return new SqliteStorage(options)
})

/** The parts of an open file. */
interface OpenFile {
  readonly writer: Connection
  /** Reads on the write connection, while nothing is written. */
  readonly idleReader: SqliteReader
  /** A connection for reads while something is written; none in memory. */
  readonly readConnection: Connection | undefined
  readonly reader: SqliteReader | undefined
  readonly collections: Map<string, Collection>
  readonly mutex: Mutex
  readonly mutexName: string | undefined
  readonly commits: GroupCommit<SqliteTransaction>
}

class SqliteStorage implements StorageBackend {
  readonly name = 'sqlite'
  readonly capabilities
  readonly dataVersion: () => number
  readonly #path: string
  readonly #inMemory: boolean
  readonly #synchronous: Synchronous
  readonly #busyTimeout: number
  readonly #retention: Retention
  readonly #watchers: ChangeWatchers
  #seenVersion: number | undefined
  #file: OpenFile | undefined
  #opening = new Mutex()

  constructor({ path, synchronous = 'full', busyTimeout = 10_000, changes }: SqliteStorageOptions) {
    if (typeof path !== 'string' || path === '') {
      throw new MinionsError('VALIDATION_FAILED', 'sqliteStorage needs the path of a file, or ":memory:".')
    }
    if (!['full', 'normal', 'off'].includes(synchronous)) {
      throw new MinionsError('VALIDATION_FAILED', 'synchronous must be "full", "normal" or "off".')
    }
    this.#inMemory = path === ':memory:'
    this.#path = this.#inMemory ? path : resolve(path)
    this.#synchronous = synchronous
    this.#busyTimeout = busyTimeout
    this.capabilities = { shared: !this.#inMemory, count: true, search: true, changes: true }
    this.dataVersion = () => this.#readVersion()
    this.#retention = new Retention('sqliteStorage', changes)
    const poll = () => this.#hasNewVersion()
    this.#watchers = new ChangeWatchers(this.#inMemory ? undefined : { poll, every: POLL_EVERY })
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#opening.run(async () => {
      const isNew = this.#file === undefined
      try {
        this.#file ??= await this.#connect()
        const { writer, collections: open, mutex } = this.#file
        await mutex.run(() => this.#migrate(writer, collections))
        open.clear()
        for (const [name, declaration] of readCatalogue(writer)) open.set(name, new Collection(declaration))
        this.#watchers.wake()
      } catch (error) {
        if (isNew) this.#disconnect()
        throw translate(error, this.#path)
      }
    })
  }

  close(): Promise<void> {
    return this.#opening.run(async () => {
      await this.#file?.commits.idle()
      await this.#file?.mutex.run(async () => {})
      this.#disconnect()
    })
  }

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#read((reader) => reader.get(collection, keys))
  }

  getNow(collection: string, key: string): RecordText | null | undefined {
    return this.#reader()?.getNow(collection, key)
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#read((reader) => reader.query(collection, plan))
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.#read((reader) => reader.count(collection, selection))
  }

  async catalogue(): Promise<CollectionDeclaration[]> {
    return [...this.#open().collections.values()].map(({ declaration }) => structuredClone(declaration))
  }

  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#open().commits.run(work)
  }

  /** Never async: every promise matters where a write takes microseconds. */
  write(batch: readonly CollectionWrites[]): Promise<void> {
    try {
      return this.#open().commits.write((tx) => tx.write(batch))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** After a process died, or while it closes the file, others briefly cannot read. */
  async changes(request: ChangesRequest): Promise<StorageChangePage> {
    const { readConnection, writer, mutex } = this.#open()
    const read = () =>
      whileBusy(this.#busyTimeout, () => readChanges(changeRows(this.#open().readConnection ?? writer), request))
    try {
      return await (readConnection ? read() : mutex.run(read))
    } catch (error) {
      throw translate(error, this.#path)
    }
  }

  watchChanges(wake: () => void): () => void {
    return this.#watchers.add(wake)
  }

  /**
   * While something is written, a file is read on a separate connection, which sees committed data; in memory there is
   * only one connection, and a read waits. Otherwise the write connection is read, which also sees committed data then:
   * a commit leaves its pages in its own cache and empties that of the other. Not async, for the same reason as `write`: it
   * saves a promise per read.
   */
  #read<T>(ask: (reader: SqliteReader) => Promise<T>): Promise<T> {
    try {
      const reader = this.#reader()
      const { mutex, idleReader } = this.#open()
      return reader ? ask(reader) : mutex.run(() => ask(idleReader))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** A reader that need not wait; undefined if there is none. */
  #reader(): SqliteReader | undefined {
    const { mutex, writer, idleReader, reader } = this.#open()
    // A transaction that could not be rolled back outlives the mutex.
    return mutex.isFree && !writer.database.inTransaction ? idleReader : reader
  }

  /** Of what is committed, on either connection: changes are written together with their commit. */
  #readVersion(): number {
    const { readConnection, writer } = this.#open()
    try {
      return (readConnection ?? writer).statement(VERSION).get() as number
    } catch (error) {
      throw translate(error, this.#path)
    }
  }

  #hasNewVersion(): boolean {
    const version = this.#readVersion()
    const isNew = version !== this.#seenVersion
    this.#seenVersion = version
    return isNew
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
        writer.database.pragma(`wal_autocheckpoint = ${CHECKPOINT_EVERY}`)
      })
      if (!this.#inMemory) readConnection = await Connection.open(this.#path, { readonly: true })
    } catch (error) {
      writer.close()
      throw error
    }
    const collections = new Map<string, Collection>()
    const file = { path: this.#path, collections }
    const idleReader = new SqliteReader(writer, file)
    const reader = readConnection && new SqliteReader(readConnection, file)
    const mutexName = this.#inMemory ? undefined : join(realpathSync(dirname(this.#path)), basename(this.#path))
    const mutex = mutexName === undefined ? new Mutex() : mutexes.open(mutexName)
    const [busyTimeout, retention, watchers] = [this.#busyTimeout, this.#retention, this.#watchers]
    const commits = new GroupCommit(new SqliteGroup({ file, writer, mutex, busyTimeout, retention, watchers }))
    return { writer, idleReader, reader, readConnection, collections, mutex, mutexName, commits }
  }

  /** Foreign keys are switched off meanwhile, because a referenced table may be recreated. */
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
      writer.commit()
    } catch (error) {
      writer.rollback()
      throw error
    } finally {
      writer.database.pragma('foreign_keys = ON')
    }
  }

  #disconnect(): void {
    if (!this.#file) return
    const { writer, readConnection, mutexName } = this.#file
    this.#file = undefined
    this.#watchers.close()
    readConnection?.close()
    writer.close()
    if (mutexName !== undefined) mutexes.close(mutexName)
  }

  #open(): OpenFile {
    if (!this.#file) throw new MinionsError('CLOSED', `The SQLite store "${this.#path}" is not open.`)
    return this.#file
  }
}
