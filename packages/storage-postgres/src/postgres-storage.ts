import {
  type Collection,
  type CollectionDeclaration,
  MinionsError,
  type QueryPlan,
  Queue,
  type Selection,
  type StorageBackend,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core'
import { Pool } from 'pg'
import { type Catalogue, isUpToDate, readCatalogue } from './catalogue.js'
import { type Channel, PoolExecutor, StatementNames } from './executor.js'
import { migrate } from './migrate.js'
import { Table } from './names.js'
import { checkOptions, describeStore, type PostgresStorageOptions } from './options.js'
import { type Collections, PostgresReader } from './reader.js'
import { runTransaction } from './run-transaction.js'
import { Throttle } from './throttle.js'
import { PostgresTransaction } from './transaction.js'
import { explainCommit } from './violations.js'
import { TableWriter } from './writer.js'

/** A backend on PostgreSQL 15 or later, for any number of programs on any number of machines. */
export function postgresStorage(options: PostgresStorageOptions): StorageBackend {
  return new PostgresStorage(options)
}

/** What an open store consists of. */
interface OpenStore {
  readonly channel: Channel
  readonly executor: PoolExecutor
  readonly reader: PostgresReader
  collections: Collections
}

class PostgresStorage implements StorageBackend {
  readonly name = 'postgres'
  readonly capabilities = { shared: true, count: true, search: true }
  readonly #options: PostgresStorageOptions
  readonly #schema: string
  readonly #where: string
  readonly #retries: number
  readonly #opening = new Queue()
  /** Everything that uses a connection at the moment. */
  readonly #running = new Set<Promise<unknown>>()
  #store: OpenStore | undefined

  constructor(options: PostgresStorageOptions) {
    checkOptions(options)
    this.#options = options
    this.#schema = options.schema ?? 'minions'
    this.#retries = options.retries ?? 30
    this.#where = describeStore(options)
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#opening.run(async () => {
      const store = this.#store ?? this.#connect()
      try {
        const { executor, channel } = store
        let catalogue = await readCatalogue(executor, this.#schema)
        if (!catalogue || !isUpToDate(catalogue, collections)) {
          await this.#migrate(channel, collections)
          catalogue = await readCatalogue(executor, this.#schema)
        }
        store.collections = toCollections(this.#schema, catalogue)
        this.#store = store
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
      await Promise.allSettled(this.#running)
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
      store.collections = toCollections(this.#schema, catalogue)
      return [...(catalogue?.values() ?? [])]
    })
  }

  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#use((store) =>
      runTransaction(store.channel, { isolation: 'serializable', retries: this.#retries }, async (session) => {
        const tx = new PostgresTransaction(session, () => store.collections)
        const explain = (error: unknown) =>
          explainCommit(
            error,
            [...store.collections.values()].map(({ table }) => table),
            tx.written,
            store.executor,
          )
        return { result: await work(tx), explain }
      }),
    )
  }

  async #migrate(channel: Channel, collections: readonly Collection[]): Promise<void> {
    await runTransaction(channel, { isolation: 'readCommitted', retries: this.#retries }, async (session) => {
      await migrate(session, this.#schema, collections)
      return { result: undefined }
    })
  }

  /** Uses the open store, noting that something is under way. */
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
    const executor = new PoolExecutor(channel)
    const reader = new PostgresReader(executor, () => store.collections)
    const store: OpenStore = { channel, executor, reader, collections: new Map() }
    return store
  }

  async #disconnect({ channel: { pool } }: OpenStore): Promise<void> {
    if (this.#options.pool) pool.off('error', ignoreIdleLoss)
    else await pool.end()
  }
}

/** The pool has already replaced a connection that was lost while nobody used it; without a listener Node would exit. */
function ignoreIdleLoss(): void {}

function toCollections(schema: string, catalogue: Catalogue | undefined): Collections {
  return new Map(
    [...(catalogue ?? [])].map(([name, declaration]) => {
      const table = new Table(schema, declaration)
      return [name, { table, writer: new TableWriter(table) }]
    }),
  )
}
