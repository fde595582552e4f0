import { withDeadline } from '../coordination/deadline.js'
import { coreError } from '../errors/codes.js'
import { guarded, guardMethods } from '../errors/guard.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { Change, Expectation, IfAbsent, IfRevision, Key, Revised, StoreTransaction } from './access.js'
import type { StorageCapabilities, StorageTransaction } from './backend.js'
import { claimInTransaction, planClaim } from './claim.js'
import type { Collection } from './collection.js'
import { InTurn } from './in-turn.js'
import type { CollectionQuery } from './query.js'
import { encode, Reader } from './reader.js'
import { newRevision } from './revision.js'
import { expected, partsOf, type WriteBatch, writeInTransaction } from './write-batch.js'

/** One run of the work of a transaction. A retried transaction gets a new one. */
export class Transaction extends Reader implements StoreTransaction {
  protected readonly capabilities: StorageCapabilities
  readonly #calls: InTurn
  readonly #callbacks: (() => void)[] = []

  constructor(inner: StorageTransaction, capabilities: StorageCapabilities) {
    super()
    this.#calls = new InTurn(inner)
    this.capabilities = capabilities
  }

  /** Runs `work` until the deadline. Rejects with the first error of a call, even when `work` caught it. */
  run<T>(work: (tx: StoreTransaction) => Promise<T>, timeout: number | null): Promise<T> {
    if (timeout === null) return this.#perform(work)
    const expired = () => {
      const error = timedOut(timeout)
      this.#calls.stop(() => error)
      throw error
    }
    return withDeadline(this.#perform(work), { timeout, expired })
  }

  /** Calls the functions waiting for the commit. */
  finish(): void {
    for (const callback of this.#callbacks) callback()
  }

  protected source(): StorageTransaction {
    return this.#calls
  }

  async put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): Promise<string> {
    const write = prepared(collection, record, expect)
    await this.#calls.put(collection.name, [write])
    return write.revision
  }

  async putMany<T>(collection: Collection<T>, records: readonly NoInfer<T>[], expect?: IfAbsent): Promise<string[]> {
    const writes = takeList('The records', records).map((record) => prepared(collection, record, expect))
    if (writes.length > 0) await this.#calls.put(collection.name, writes)
    return writes.map((write) => write.revision)
  }

  async delete(collection: Collection, key: Key, expect?: IfRevision): Promise<boolean> {
    const { ifRevision } = takeOptions('`expect` of a delete', expect)
    const removal = { key: encode(collection, key), ...(ifRevision !== undefined && { expect: ifRevision }) }
    const [removed = false] = await this.#calls.delete(collection.name, [removal])
    return removed
  }

  async deleteMany(collection: Collection, keys: readonly Key[]): Promise<number> {
    const removals = takeList('The keys', keys).map((key) => ({ key: encode(collection, key) }))
    if (removals.length === 0) return 0
    const removed = await this.#calls.delete(collection.name, removals)
    return removed.filter(Boolean).length
  }

  write(batch: WriteBatch): Promise<void> {
    return writeInTransaction(this.#calls, partsOf(batch))
  }

  async claim<T>(collection: Collection<T>, query: CollectionQuery, change: Change<T>): Promise<Revised<T>[]> {
    return claimInTransaction(this.#calls, planClaim(collection, query, change))
  }

  /** A nested transaction is part of the outer one. */
  async transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    if (typeof work !== 'function') {
      throw coreError('VALIDATION_FAILED', '`work` of a transaction must be a function.')
    }
    return work(this)
  }

  afterCommit(callback: () => void): void {
    if (typeof callback !== 'function') {
      throw coreError('VALIDATION_FAILED', 'A function to call after a commit must be a function.')
    }
    this.#callbacks.push(callback)
  }

  /** When this ends no call is running or queued, so that the backend can commit or roll back. */
  async #perform<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(this)
      if (this.#calls.busy) await this.#calls.idle()
      // Databases cannot continue after a failure, so no backend may.
      if (this.#calls.failure) throw this.#calls.failure.error
      this.#calls.stop(ended)
      return result
    } catch (error) {
      this.#calls.stop(ended)
      await this.#calls.idle()
      throw error
    }
  }
}

guardMethods(Transaction, { callsBack: true })

/** A record as a backend writes it, with a new revision. */
export const prepared = guarded(
  'The store',
  (collection: Collection, record: unknown, expect: Expectation | undefined) =>
    collection.toWrite(record, newRevision(), expected(expect)),
)

function ended(): Error {
  return coreError('CLOSED', 'This transaction has ended; use the client or store outside of it.')
}

function timedOut(timeout: number): Error {
  return coreError(
    'TRANSACTION_TIMEOUT',
    `A transaction did not end within ${timeout} ms and was rolled back. Its work probably awaits the outer client ` +
      'or store, which waits for this transaction: use only the client or store passed to `work`.',
    { details: { timeout } },
  )
}
