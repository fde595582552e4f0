import { MinionsError } from '@minions/core'
import type { StorageBackend, StorageTransaction } from '@minions/core/storage'

type Work<T> = (tx: StorageTransaction) => Promise<T>

/**
 * A transaction that begins in the backend its work touches first. When that backend retries the work, it runs again in
 * the same backend.
 */
export class LazyTransaction<T> {
  readonly #work: Work<T>
  readonly #backendOf: (collection: string) => StorageBackend
  #backend: StorageBackend | undefined
  #first: Promise<T> | undefined
  #result: Promise<T> | undefined
  /** Work that catches the error of touching a second backend must not commit half of its writes. */
  #spanning: Error | undefined

  constructor(work: Work<T>, backendOf: (collection: string) => StorageBackend) {
    this.#work = work
    this.#backendOf = backendOf
  }

  async run(): Promise<T> {
    let begun: Promise<StorageTransaction> | undefined
    // In a later turn, so that `#first` is set before the work can request anything.
    this.#first = Promise.resolve().then(() =>
      this.#attempt((backend) => {
        begun ??= this.#begin(backend)
        return begun
      }),
    )
    await this.#first.catch(() => undefined)
    return this.#result ?? this.#first
  }

  #begin(backend: StorageBackend): Promise<StorageTransaction> {
    this.#backend = backend
    return new Promise((resolve, reject) => {
      let runs = 0
      this.#result = backend.transaction((inner) => {
        runs += 1
        if (runs > 1) return this.#attempt(async () => inner)
        resolve(inner)
        return this.#first as Promise<T>
      })
      this.#result.catch(reject)
    })
  }

  async #attempt(begin: (backend: StorageBackend) => Promise<StorageTransaction>): Promise<T> {
    const result = await this.#work(this.#guard(begin))
    if (this.#spanning) throw this.#spanning
    return result
  }

  #guard(begin: (backend: StorageBackend) => Promise<StorageTransaction>): StorageTransaction {
    const within = (collection: string): Promise<StorageTransaction> => {
      const backend = this.#backendOf(collection)
      if (this.#backend !== undefined && this.#backend !== backend) {
        this.#spanning = spans(this.#backend, backend, collection)
        throw this.#spanning
      }
      return begin(backend)
    }
    return {
      get: async (collection, keys) => (await within(collection)).get(collection, keys),
      query: async (collection, plan) => (await within(collection)).query(collection, plan),
      count: async (collection, selection) => (await within(collection)).count(collection, selection),
      put: async (collection, writes) => (await within(collection)).put(collection, writes),
      delete: async (collection, deletes) => (await within(collection)).delete(collection, deletes),
    }
  }
}

function spans(first: StorageBackend, second: StorageBackend, collection: string): Error {
  const message = `A transaction that began in ${first.name} touched "${collection}", which lives in another backend (${second.name}); use one transaction for each.`
  return new MinionsError('TRANSACTION_SPANS_BACKENDS', message, {
    details: { collection, backends: [first.name, second.name] },
  })
}
