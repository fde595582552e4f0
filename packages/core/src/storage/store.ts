import { coreError } from '../errors/codes.js'
import { guarded, guardMethods } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeFunction, takeList, takeOptions } from '../errors/take.js'
import type {
  Change,
  Expectation,
  IfAbsent,
  IfRevision,
  Key,
  Revised,
  StoreAccess,
  StoreTransaction,
  TransactionOptions,
} from './access.js'
import type { StorageBackend, StorageCapabilities, StorageProblem, StorageReader } from './backend.js'
import { Follower } from './changes/follow.js'
import { takeChangePageQuery, takeFollowOptions } from './changes/queries.js'
import { SharedFeed } from './changes/shared-feed.js'
import { EachItem } from './changes/steps.js'
import type { ChangePageQuery, FollowOptions, StoreChange, StoreChangePage } from './changes/store-change.js'
import { claimInTransaction, planClaim } from './claim.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'
import { STORE } from './is-store.js'
import type { CollectionQuery } from './query.js'
import { Reader, readPage, revised } from './reader.js'
import { prepared, Transaction } from './transaction.js'
import { isInside, runInside } from './transaction-scope.js'
import { type RevisedText, UNGUARDED, type UnguardedAccess } from './unguarded.js'
import { partsOf, type WriteBatch, writeInTransaction } from './write-batch.js'

export interface StoreOptions {
  /** Timeout of a transaction in milliseconds. Default: 30,000. */
  readonly transactionTimeout?: number
}

/** An open backend, through which every package reads and writes its collections. */
export class Store extends Reader implements StoreAccess {
  readonly [STORE] = true
  readonly [UNGUARDED]: UnguardedAccess
  readonly backend: StorageBackend
  protected readonly capabilities: StorageCapabilities
  readonly #timeout: number
  readonly #feed: SharedFeed
  readonly #followers = new Set<Follower<object>>()
  #closing: Promise<void> | undefined

  private constructor(backend: StorageBackend, collections: readonly Collection[], options: StoreOptions) {
    super()
    this.backend = backend
    this.#feed = new SharedFeed(backend, collections)
    this.capabilities = backend.capabilities
    const { transactionTimeout = DEFAULT_TIMEOUT } = options
    this.#timeout = checkedTimeout({ timeout: transactionTimeout }, DEFAULT_TIMEOUT)
    this[UNGUARDED] = this.#unguarded()
  }

  /** Opens a backend with the collections that will be used. */
  static async open(
    backend: StorageBackend,
    collections: readonly Collection[],
    options: StoreOptions = {},
  ): Promise<Store> {
    const taken = takeOptions('The options of a store', options)
    if (!isBackend(backend)) {
      throw coreError('VALIDATION_FAILED', '`storage` must be a storage backend, such as the one of `memoryStorage()`.')
    }
    const names = takeList('The collections', collections).map(nameOf)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) {
      throw coreError('ALREADY_REGISTERED', `Two collections are named "${twice}"; rename one of them.`)
    }
    await backend.open(collections)
    return new Store(backend, collections, taken)
  }

  /**
   * Runs `work` and commits what it wrote, all or nothing; resolves to its return value. Inside, use only `tx`: using
   * the store itself throws `OUTSIDE_TRANSACTION`. `work` may run more than once, so it must only read and write
   * through `tx`. A failed write fails the whole transaction, even when `work` catches it. After the timeout it is
   * rolled back with `TRANSACTION_TIMEOUT`.
   */
  async transaction<T>(work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    this.source()
    if (typeof work !== 'function') throw coreError('VALIDATION_FAILED', '`work` of a transaction must be a function.')
    const timeout = options === undefined ? this.#timeout : checkedTimeout(options, this.#timeout)
    let last: Transaction | undefined
    const result = await this.backend.transaction((inner) => {
      const transaction = new Transaction(inner, this.capabilities)
      last = transaction
      return runInside(this, () => transaction.run(work, timeout))
    })
    last?.finish()
    return result
  }

  async put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): Promise<string> {
    this.source()
    const write = prepared(collection, record, expect)
    await this[UNGUARDED].write([{ collection: collection.name, puts: [write], deletes: [], checks: [] }])
    return write.revision
  }

  putMany<T>(collection: Collection<T>, records: readonly NoInfer<T>[], expect?: IfAbsent): Promise<string[]> {
    return this.transaction((tx) => tx.putMany(collection, records, expect))
  }

  delete(collection: Collection, key: Key, expect?: IfRevision): Promise<boolean> {
    return this.transaction((tx) => tx.delete(collection, key, expect))
  }

  deleteMany(collection: Collection, keys: readonly Key[]): Promise<number> {
    return this.transaction((tx) => tx.deleteMany(collection, keys))
  }

  /**
   * Follows the change feed: every committed change of any process, once, in order per record, until the iteration is
   * left, its signal aborts or the store is closed. Keep the `cursor` of the last change you processed, and resume from
   * it after a restart. Throws `CAPABILITY_MISSING`, `INVALID_CURSOR` and, for a cursor older than what the backend
   * keeps, `CHANGES_EXPIRED`.
   */
  changes(options?: FollowOptions): AsyncIterableIterator<StoreChange, undefined> {
    return new EachItem(this.changePages(options))
  }

  /**
   * Like `changes`, in pages; pages without a selected change are included, to report the position of the feed. `map`
   * may convert each page, for example to one with the records; it runs before the next page is read.
   */
  changePages(options?: FollowOptions): AsyncIterableIterator<StoreChangePage, undefined>
  changePages<Page extends object>(
    options: FollowOptions | undefined,
    map: (page: StoreChangePage) => Page | Promise<Page>,
  ): AsyncIterableIterator<Page, undefined>
  changePages(
    options?: FollowOptions,
    map: (page: StoreChangePage) => object | Promise<object> = (page) => page,
  ): AsyncIterableIterator<object, undefined> {
    const query = takeFollowOptions(options)
    takeFunction('The map of changePages', map)
    this.source()
    const follower = new Follower(this.#feed, { ...query, map, onEnd: (ended) => this.#followers.delete(ended) })
    if (!query.signal?.aborted) this.#followers.add(follower)
    return follower
  }

  /** One page of the change feed, without waiting; pass its `cursor` as the next `since`. See `changes`. */
  async listChanges(query?: ChangePageQuery): Promise<StoreChangePage> {
    const { since, collections, limit } = takeChangePageQuery(query)
    this.source()
    return this.#feed.read(since, collections, limit)
  }

  write(batch: WriteBatch): Promise<void> {
    try {
      const parts = partsOf(batch)
      if (parts.length > 0) return this[UNGUARDED].write(parts)
      this.source()
      return Promise.resolve()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async claim<T>(collection: Collection<T>, query: CollectionQuery, change: Change<T>): Promise<Revised<T>[]> {
    this.source()
    const { backend } = this
    const claim = planClaim(collection, query, change)
    if (!this.capabilities.claim || !backend.claim) return backend.transaction((tx) => claimInTransaction(tx, claim))
    return (await backend.claim(collection.name, claim.plan, claim.change)).map(revised<T>)
  }

  /** Declarations of all collections in the store, including those not declared here. */
  async catalogue(): Promise<CollectionDeclaration[]> {
    this.#checkOpen()
    return this.backend.catalogue()
  }

  /** Damaged or contradictory data that the backend found and set aside. */
  async problems(): Promise<StorageProblem[]> {
    this.#checkOpen()
    return (await this.backend.problems?.()) ?? []
  }

  /** Waits for operations in progress and closes the backend. Closing twice is allowed. */
  close(): Promise<void> {
    for (const follower of [...this.#followers]) follower.end()
    this.#closing ??= this.backend.close()
    return this.#closing
  }

  protected source(): StorageReader {
    this.#checkOpen()
    if (isInside(this)) throw coreError('OUTSIDE_TRANSACTION', OUTSIDE)
    return this.backend
  }

  #unguarded(): UnguardedAccess {
    const { backend } = this
    const source = () => this.source()
    return {
      getNow<T>({ name }: Collection<T>, key: string) {
        source()
        return backend.getNow?.(name, key) as RevisedText<T> | null | undefined
      },
      get: <T>({ name }: Collection<T>, key: string) =>
        source()
          .get(name, [key])
          .then(([found]) => found as RevisedText<T> | undefined),
      async find<T>(collection: Collection<T>, query: CollectionQuery) {
        const { items, nextCursor } = await readPage(source(), collection, query)
        return { items: items.map(({ record }) => record as T), nextCursor, version: items[0]?.version }
      },
      write(parts) {
        source()
        return backend.write ? backend.write(parts) : backend.transaction((tx) => writeInTransaction(tx, parts))
      },
    }
  }

  #checkOpen(): void {
    if (this.#closing) throw coreError('CLOSED', 'This store is closed; open it again.')
  }
}

// `write` passes on what it does not read, and answers with a promise whatever it is given.
guardMethods(Store, { callsBack: true, except: ['write'] })

const OUTSIDE =
  'The outer client or store was used inside its own transaction, whose writes it cannot see and whose end it may ' +
  'never see. Use only the client or store passed to `work`, as in `transaction(async (tx) => tx.create(…))`.'

const DEFAULT_TIMEOUT = 30_000

function checkedTimeout<Given extends number | null>(
  options: { readonly timeout?: Given; readonly timeoutMs?: Given },
  otherwise: number,
): Given | number {
  const { timeoutMs, timeout = timeoutMs ?? otherwise } = takeOptions('The options of a transaction', options)
  if (timeout === null || (typeof timeout === 'number' && timeout >= 0)) return timeout
  throw coreError(
    'VALIDATION_FAILED',
    `The timeout of a transaction must be a non-negative number of milliseconds, not ${quote(timeout)}.`,
  )
}

const isBackend = (value: unknown): value is StorageBackend => {
  try {
    return typeof (value as StorageBackend | undefined)?.open === 'function'
  } catch {
    return false
  }
}

const nameOf = guarded('A store', (collection: Collection) => {
  if (typeof collection.declaration?.name === 'string') return collection.name
  throw coreError('VALIDATION_FAILED', 'The collections of a store must come from `defineCollection`.')
})
