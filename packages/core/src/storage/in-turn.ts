import type { QueryPlan, RecordDelete, RecordWrite, Selection, StorageTransaction, StoredRecord } from './backend.js'

/**
 * Serialises overlapping calls, as in `Promise.all`, to a backend's transaction, and makes none after the first failure
 * or the end: a call still queued when a transaction is rolled back must not be made.
 */
export class InTurn implements StorageTransaction {
  readonly #inner: StorageTransaction
  #running: Promise<unknown> | undefined
  #stopped: (() => unknown) | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(inner: StorageTransaction) {
    this.#inner = inner
  }

  /** The error of the first failed call. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  /** True if a call is running or queued. */
  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Makes every further call, including queued ones, reject with this. The first reason wins. */
  stop(reason: () => unknown): void {
    this.#stopped ??= reason
  }

  /** Waits until no call is running or queued. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
  }

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#run(() => this.#inner.get(collection, keys))
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#run(() => this.#inner.query(collection, plan))
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.#run(() => this.#inner.count(collection, selection))
  }

  put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    return this.#run(() => this.#inner.put(collection, writes))
  }

  delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    return this.#run(() => this.#inner.delete(collection, deletes))
  }

  #run<T>(call: () => Promise<T>): Promise<T> {
    const begin = () => this.#begin(call)
    const result = this.#running ? this.#running.then(begin, begin) : begin()
    this.#running = result
    const done = () => {
      if (this.#running === result) this.#running = undefined
    }
    result.then(done, (error) => {
      this.#failure ??= { error }
      done()
    })
    return result
  }

  #begin<T>(call: () => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped())
    return this.#failure ? Promise.reject(this.#failure.error) : call()
  }
}
