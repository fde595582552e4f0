import type { StorageTransaction } from './backend.js'
import { PassedOn } from './passed-on.js'

/**
 * Serialises overlapping calls, as in `Promise.all`, to a backend's transaction, and makes none after the first failure
 * or the end: a call still queued when a transaction is rolled back must not be made.
 */
export class InTurn extends PassedOn {
  readonly #inner: StorageTransaction
  #running: Promise<unknown> | undefined
  #stopped: (() => unknown) | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(inner: StorageTransaction) {
    super()
    this.#inner = inner
  }

  /** The error of the first failed call. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  /** Makes every further call, including queued ones, reject with this. The first reason wins. */
  stop(reason: () => unknown): void {
    this.#stopped ??= reason
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => {})
  }

  protected call<T>(make: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    const begin = () => this.#begin(make)
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

  #begin<T>(make: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    if (this.#stopped) return Promise.reject(this.#stopped())
    return this.#failure ? Promise.reject(this.#failure.error) : make(this.#inner)
  }
}
