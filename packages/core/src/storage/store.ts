import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { Expectation, Key, StoreAccess, StoreTransaction, TransactionOptions } from './access.js'
import type { StorageBackend, StorageCapabilities, StorageProblem, StorageReader } from './backend.js'
import type { Collection } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'
import { Reader } from './reader.js'
import { newRevision } from './revision.js'
import { expected, Transaction } from './transaction.js'
import { isInside, runInside } from './transaction-scope.js'

export interface StoreOptions {
  /** Milliseconds until a transaction is given up; 30,000 unless given. */
  readonly transactionTimeout?: number
}

/** A backend in use: every package reads and writes its collections through one of these. */
export class Store extends Reader implements StoreAccess {
  readonly backend: StorageBackend
  protected readonly capabilities: StorageCapabilities
  readonly #timeout: number
  #closing: Promise<void> | undefined

  private constructor(backend: StorageBackend, options: StoreOptions) {
    super()
    this.backend = backend
    this.capabilities = backend.capabilities
    const { transactionTimeout = DEFAULT_TIMEOUT } = options
    this.#timeout = checkedTimeout({ timeout: transactionTimeout }, DEFAULT_TIMEOUT)
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
      throw coreError('ALREADY_REGISTERED', `Two collections are called "${twice}"; rename one of them.`)
    }
    await backend.open(collections)
    return new Store(backend, taken)
  }

  /**
   * Runs `work` and commits what it wrote, all or nothing; resolves to what it returns. Inside, use only `tx`: the store
   * itself is refused there with `OUTSIDE_TRANSACTION`. `work` may run more than once, so it must not do anything but read
   * and write through `tx`. A failed write fails the whole transaction, even when `work` catches it. After the deadline
   * it is rolled back with `TRANSACTION_TIMEOUT`.
   */
  async transaction<T>(work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    this.source()
    if (typeof work !== 'function')
      throw coreError('VALIDATION_FAILED', 'The work of a transaction must be a function.')
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

  put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): Promise<string> {
    return this.transaction((tx) => tx.put(collection, record, expect))
  }

  /**
   * Writes the record that `make` makes inside the transaction, from what is true then and so that it fits its schema;
   * when it makes none nothing is written. It is told the revision that the record will have. Since it cannot wait for
   * anything, this needs neither a deadline nor turns, and costs much less than a transaction with work of its own.
   */
  putMade<T>(
    collection: Collection<T>,
    make: (revision: string) => NoInfer<T> | undefined,
    expect?: Expectation,
  ): Promise<void> {
    if (this.#closing) return Promise.reject(closed())
    if (isInside(this)) return Promise.reject(outside())
    return this.backend.transaction((inner) => {
      try {
        const revision = newRevision()
        const record = make(revision)
        if (record === undefined) return Promise.resolve()
        const write = preparedFitting(collection, record, revision, expect)
        return inner.put(collection.name, [write])
      } catch (error) {
        return Promise.reject(error)
      }
    })
  }

  putMany<T>(
    collection: Collection<T>,
    records: readonly NoInfer<T>[],
    expect?: { readonly ifAbsent: true },
  ): Promise<string[]> {
    return this.transaction((tx) => tx.putMany(collection, records, expect))
  }

  delete(collection: Collection, key: Key, expect?: { readonly ifRevision: string }): Promise<boolean> {
    return this.transaction((tx) => tx.delete(collection, key, expect))
  }

  deleteMany(collection: Collection, keys: readonly Key[]): Promise<number> {
    return this.transaction((tx) => tx.deleteMany(collection, keys))
  }

  /** Declarations of everything in the store, also of collections that nobody here declared. */
  async catalogue(): Promise<CollectionDeclaration[]> {
    this.#checkOpen()
    return this.backend.catalogue()
  }

  /** Damaged or contradictory things that the backend found and set aside. */
  async problems(): Promise<StorageProblem[]> {
    this.#checkOpen()
    return (await this.backend.problems?.()) ?? []
  }

  /** Waits for what is under way and closes the backend. Closing twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.backend.close()
    return this.#closing
  }

  protected source(): StorageReader {
    this.#checkOpen()
    if (isInside(this)) throw outside()
    return this.backend
  }

  #checkOpen(): void {
    if (this.#closing) throw closed()
  }
}

function outside(): Error {
  return coreError(
    'OUTSIDE_TRANSACTION',
    'The outer client or store was used inside a transaction of its own, whose writes it cannot see and whose end it may ' +
      'wait for in vain. Use only what `work` is given, as in `transaction(async (tx) => tx.create(…))`.',
  )
}

const DEFAULT_TIMEOUT = 30_000

function checkedTimeout<Given extends number | null>(
  options: { readonly timeout?: Given },
  otherwise: number,
): Given | number {
  const { timeout = otherwise } = takeOptions('The options of a transaction', options)
  if (timeout === null || (typeof timeout === 'number' && timeout >= 0)) return timeout
  throw coreError(
    'VALIDATION_FAILED',
    `The timeout of a transaction must be a number of milliseconds from 0, not ${quote(timeout)}.`,
  )
}

const isBackend = (value: unknown): value is StorageBackend => {
  try {
    return typeof (value as StorageBackend | undefined)?.open === 'function'
  } catch {
    return false
  }
}

const preparedFitting = guarded(
  'The store',
  (collection: Collection, record: unknown, revision: string, expect: Expectation | undefined) =>
    collection.toWriteFitting(record, revision, expected(expect)),
)

const nameOf = guarded('A store', (collection: Collection) => {
  if (typeof collection.declaration?.name === 'string') return collection.name
  throw coreError('VALIDATION_FAILED', 'The collections of a store must be made with `defineCollection`.')
})

function closed(): Error {
  return coreError('CLOSED', 'This store is closed; open it again.')
}
