import { MinionsError } from '@minions/core'
import { Mutex } from '@minions/core/coordination'
import { guarded } from '@minions/core/plugin'
import {
  type ChangesRequest,
  ChangeWatchers,
  type ClaimChange,
  type Collection,
  type CollectionDeclaration,
  type CollectionWrites,
  type QueryPlan,
  Retention,
  type Selection,
  type StorageBackend,
  type StorageChangePage,
  type StorageTransaction,
  type StoredRecord,
  type Wake,
  writeInTransaction,
} from '@minions/core/storage'
import { Pool } from 'pg'
import { BatchStatements } from './batch-statement.js'
import { type Catalogue, isUpToDate, readCatalogue } from './catalogue.js'
import { Notices } from './changes/notices.js'
import { type ReadFeed, readFeed } from './changes/read.js'
import { removeChanges } from './changes/remove.js'
import { hasFeed } from './changes/schema.js'
import { changesStatement } from './changes/write.js'
import { type Channel, type Executor, poolExecutor, StatementNames } from './executor.js'
import { migrate } from './migrate.js'
import { Table } from './names.js'
import { checkOptions, describeStore, type PostgresStorageOptions } from './options.js'
import { type Collections, PostgresReader } from './reader.js'
import { Rows } from './rows.js'
import { runTransaction, type TransactionSettings } from './run-transaction.js'
import { SharedWrites } from './shared-writes.js'
import { Throttle } from './throttle.js'
import { PostgresTransaction } from './transaction.js'
import { explainCommit } from './violations.js'
import type { BatchTarget } from './write-batch.js'
import { TableWriter } from './writer.js'

/** A backend on PostgreSQL 15 or later, for any number of programs on any number of machines. */
export const postgresStorage = guarded('postgresStorage', (options: PostgresStorageOptions): StorageBackend => {
  return new PostgresStorage(options)
})

/** Milliseconds between two decisions whether to check the change feed, while someone follows it. */
const POLL_EVERY = 50

/** The parts of an open store. */
interface OpenStore extends BatchTarget {
  readonly executor: Executor
  readonly reader: PostgresReader
  readonly feed: ReadFeed
  readonly notices: Notices
  collections: Collections
  batches: BatchStatements
}

class PostgresStorage implements StorageBackend {
  readonly name = 'postgres'
  readonly capabilities = { shared: true, count: true, search: true, claim: true, changes: true }
  readonly #options: PostgresStorageOptions
  readonly #schema: string
  readonly #where: string
  readonly #retries: number
  readonly #opening = new Mutex()
  /** All current users of a connection. */
  readonly #running = new Set<Promise<unknown>>()
  readonly #retention: Retention
  readonly #watchers: ChangeWatchers
  readonly #writes = new SharedWrites()
  #store: OpenStore | undefined

  constructor(options: PostgresStorageOptions) {
    checkOptions(options)
    this.#options = options
    this.#schema = options.schema ?? 'minions'
    this.#retries = options.retries ?? 30
    this.#where = describeStore(options)
    this.#retention = new Retention('postgresStorage', options.changes)
    const poll = () => this.#store?.notices.isPollDue() ?? false
    this.#watchers = new ChangeWatchers({ poll, every: POLL_EVERY })
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#opening.run(async () => {
      const store = this.#store ?? this.#connect()
      try {
        const { executor, channel } = store
        let catalogue = await readCatalogue(executor, this.#schema)
        if (!catalogue || !isUpToDate(catalogue, collections) || !(await hasFeed(executor, this.#schema))) {
          await this.#migrate(channel, collections)
          catalogue = await readCatalogue(executor, this.#schema)
        }
        adopt(store, this.#schema, catalogue)
        this.#store = store
        this.#watchers.wake()
      } catch (error) {
        if (!this.#store) await this.#disconnect(store)
        throw error
      }
    })
  }

  close(): Promise<void> {
    return this.#opening.run(async () => {
      const store = this.#store
      this.#store = undefined
      this.#watchers.close()
      while (this.#running.size > 0) await Promise.allSettled(this.#running)
      if (store) await this.#disconnect(store)
    })
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#use(({ reader }) => reader.get(collection, keys))
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#use(({ reader }) => reader.query(collection, plan))
  }

  async count(collection: string, selection: Selection): Promise<number> {
    return this.#use(({ reader }) => reader.count(collection, selection))
  }

  /** Other programs may have added collections since this one opened the store. */
  async catalogue(): Promise<CollectionDeclaration[]> {
    return this.#use(async (store) => {
      const catalogue = await readCatalogue(store.executor, this.#schema)
      adopt(store, this.#schema, catalogue)
      return [...(catalogue?.values() ?? [])]
    })
  }

  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#transaction('serializable', work)
  }

  /** There is no row to lock for a record that must stay absent; this requires a serializable transaction. */
  async write(batch: readonly CollectionWrites[]): Promise<void> {
    const checksAbsence = batch.some(({ checks }) => checks.some(({ expect }) => expect === null))
    if (checksAbsence) return this.transaction((tx) => writeInTransaction(tx, batch))
    return this.#use(async (store) => {
      await this.#writes.write(store, batch, this.#retries)
      const changed = batch.filter(({ puts, deletes }) => puts.length + deletes.length > 0)
      this.#committed(store, new Set(changed.map(({ collection }) => collection)), changed.length)
    })
  }

  /** Read committed: a record that another claim has taken is then skipped, where a snapshot would collide. */
  async claim(collection: string, plan: QueryPlan, change: ClaimChange): Promise<StoredRecord[]> {
    return this.#transaction('readCommitted', (tx) => tx.claim(collection, plan, change))
  }

  #transaction<T>(
    isolation: TransactionSettings['isolation'],
    work: (tx: PostgresTransaction) => Promise<T>,
  ): Promise<T> {
    return this.#use(async (store) => {
      let last: string | undefined
      let changed: ReadonlySet<string> = new Set()
      const done = await runTransaction(store.channel, { isolation, retries: this.#retries }, async (session) => {
        const tx = new PostgresTransaction(session, () => store.collections)
        const explain = (error: unknown) => {
          const tables = [...store.collections.values()].map(({ table }) => table)
          return explainCommit(error, tables, tx.written, store.executor)
        }
        const result = await work(tx)
        last = changesStatement(this.#schema, tx.notes)
        changed = new Set(tx.notes.collections())
        return { result, explain, last }
      })
      if (last !== undefined) this.#committed(store, changed, 1)
      return done
    })
  }

  async changes(request: ChangesRequest): Promise<StorageChangePage> {
    return this.#use(({ feed }) => feed(request))
  }

  watchChanges(wake: Wake): () => void {
    const stop = this.#watchers.add(wake)
    this.#store?.notices.listen()
    return () => {
      stop()
      if (this.#watchers.isEmpty) this.#store?.notices.deafen()
    }
  }

  /** Changes were written: notifies waiting callers, and occasionally removes old changes. */
  #committed({ executor, notices }: OpenStore, changed: ReadonlySet<string>, written: number): void {
    this.#watchers.wake(changed)
    notices.tell(changed)
    if (!this.#retention.isDue(written, Date.now())) return
    // Changes that cannot be removed now are removed another time.
    const removing = removeChanges(executor, this.#schema, this.#retention).catch(() => {})
    this.#running.add(removing)
    removing.finally(() => this.#running.delete(removing))
  }

  async #migrate(channel: Channel, collections: readonly Collection[]): Promise<void> {
    await runTransaction(channel, { isolation: 'readCommitted', retries: this.#retries }, async (session) => {
      await migrate(session, this.#schema, collections)
      return { result: undefined }
    })
  }

  /** Uses the open store, tracking running work. */
  async #use<T>(ask: (store: OpenStore) => Promise<T>): Promise<T> {
    const store = this.#store
    if (!store) throw new MinionsError('CLOSED', `The PostgreSQL store ${this.#where} is not open.`)
    const answer = ask(store)
    this.#running.add(answer)
    try {
      return await answer
    } finally {
      this.#running.delete(answer)
    }
  }

  #connect(): OpenStore {
    const {
      connectionString,
      ssl,
      poolSize = 10,
      connectionTimeout = 30_000,
      preparedStatements = true,
    } = this.#options
    const pool =
      this.#options.pool ??
      new Pool({
        connectionString,
        max: poolSize,
        connectionTimeoutMillis: connectionTimeout,
        keepAlive: true,
        ...(ssl !== undefined && { ssl }),
      })
    pool.on('error', ignoreIdleLoss)
    const names = preparedStatements ? new StatementNames() : undefined
    const channel: Channel = {
      pool,
      where: this.#where,
      names,
      throttle: new Throttle(pool.options.max, pool.options.connectionTimeoutMillis ?? 0),
    }
    const executor = poolExecutor(channel)
    const reader = new PostgresReader(executor, () => store.collections)
    const store: OpenStore = {
      channel,
      executor,
      reader,
      feed: readFeed(executor, this.#schema),
      notices: new Notices(pool, this.#schema, (collections) => this.#watchers.wake(collections)),
      collections: new Map(),
      batches: new BatchStatements(new Map(), this.#schema),
    }
    return store
  }

  async #disconnect({ channel: { pool }, notices }: OpenStore): Promise<void> {
    await notices.close()
    if (this.#options.pool) pool.off('error', ignoreIdleLoss)
    else await pool.end()
  }
}

/** The pool has already replaced a connection that was lost while idle; without a listener Node would exit. */
function ignoreIdleLoss(): void {}

function adopt(store: OpenStore, schema: string, catalogue: Catalogue | undefined): void {
  store.collections = new Map(
    [...(catalogue ?? [])].map(([name, declaration]) => {
      const table = new Table(schema, declaration)
      const rows = new Rows(table)
      return [name, { table, rows, writer: new TableWriter(table, rows) }]
    }),
  )
  store.batches = new BatchStatements(store.collections, schema)
}
