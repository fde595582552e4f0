import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { takeList, takeOptions } from '../errors/take.js'
import type { Expectation, Key, StoreTransaction } from './access.js'
import type { StorageCapabilities, StorageTransaction } from './backend.js'
import type { Collection } from './collection.js'
import { Deadline } from './deadlines.js'
import { InTurn } from './in-turn.js'
import { encode, Reader } from './reader.js'
import { newRevision } from './revision.js'

/** One run of the work of a transaction. A transaction that is run again gets a new one. */
export class Transaction extends Reader implements StoreTransaction {
  protected readonly capabilities: StorageCapabilities
  readonly #calls: InTurn
  readonly #callbacks: (() => void)[] = []

  constructor(inner: StorageTransaction, capabilities: StorageCapabilities) {
    super()
    this.#calls = new InTurn(inner)
    this.capabilities = capabilities
  }

  /** Runs `work`, until the deadline at the most. Rejects with the first error of a call, even when `work` caught it. */
  run<T>(work: (tx: StoreTransaction) => Promise<T>, timeout: number | null): Promise<T> {
    return timeout === null ? this.#perform(work) : this.#within(timeout, work)
  }

  /** Calls what waits for the commit. */
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

  async putMany<T>(
    collection: Collection<T>,
    records: readonly NoInfer<T>[],
    expect?: { readonly ifAbsent: true },
  ): Promise<string[]> {
    const writes = takeList('The records', records).map((record) => prepared(collection, record, expect))
    if (writes.length > 0) await this.#calls.put(collection.name, writes)
    return writes.map((write) => write.revision)
  }

  async delete(collection: Collection, key: Key, expect?: { readonly ifRevision: string }): Promise<boolean> {
    const { ifRevision } = takeOptions('What a delete expects', expect)
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

  /** A transaction inside a transaction is the same one. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    return work(this)
  }

  afterCommit(callback: () => void): void {
    this.#callbacks.push(callback)
  }

  #within<T>(timeout: number, work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const deadline = new Deadline(timeout, () => {
        const error = timedOut(timeout)
        this.#calls.stop(() => error)
        reject(error)
      })
      this.#perform(work).then(
        (result) => {
          deadline.cancel()
          resolve(result)
        },
        (error) => {
          deadline.cancel()
          reject(error)
        },
      )
    })
  }

  /** When this ends no call is under way or waiting, so that the backend can commit or roll back. */
  async #perform<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T> {
    try {
      const result = await work(this)
      if (this.#calls.busy) await this.#calls.idle()
      // Databases cannot go on after a failure, so nobody may.
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

const prepared = guarded('The store', (collection: Collection, record: unknown, expect: Expectation | undefined) =>
  collection.toWrite(record, newRevision(), expected(expect)),
)

/** What a backend compares with the revision there is. */
export function expected(expect: Expectation | undefined): string | null | undefined {
  return expect && ('ifAbsent' in expect ? null : expect.ifRevision)
}

function ended(): Error {
  return coreError('CLOSED', 'This transaction has ended; use the client or store outside of it.')
}

function timedOut(timeout: number): Error {
  return coreError(
    'TRANSACTION_TIMEOUT',
    `A transaction did not end within ${timeout} ms and was rolled back. Most likely its work awaits the outer client ` +
      'or store, which waits for this transaction: use only what `work` is given.',
    { details: { timeout } },
  )
}
