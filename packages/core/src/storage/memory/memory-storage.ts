import { coreError } from '../../errors/codes.js'
import type {
  QueryPlan,
  Selection,
  StorageBackend,
  StorageReader,
  StorageTransaction,
  StoredRecord,
} from '../backend.js'
import type { Collection } from '../collection.js'
import type { CollectionDeclaration } from '../declaration.js'
import { Queue } from '../queue.js'
import { MemoryEngine } from './engine.js'

/** A backend that keeps everything in memory, with the same rules as those that do not. Its data ends with the process. */
export function memoryStorage(): StorageBackend {
  return new MemoryStorage()
}

class MemoryStorage implements StorageBackend {
  readonly name = 'memory'
  readonly capabilities = { shared: false, count: true, search: true }
  readonly #engine = new MemoryEngine()
  readonly #queue = new Queue()
  #isOpen = false

  open(collections: readonly Collection[]): Promise<void> {
    return this.#queue.run(async () => {
      this.#engine.declare(collections)
      this.#isOpen = true
    })
  }

  close(): Promise<void> {
    return this.#queue.run(async () => {
      this.#isOpen = false
    })
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#open().get(collection, keys)
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#open().query(collection, plan)
  }

  async count(collection: string, selection: Selection): Promise<number> {
    return this.#open().count(collection, selection)
  }

  async catalogue(): Promise<CollectionDeclaration[]> {
    this.#open()
    return this.#engine.catalogue()
  }

  async transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    const turn = this.#queue.enter()
    if (turn) await turn
    try {
      this.#open()
      const transaction = this.#engine.begin()
      const result = await work(transaction)
      this.#engine.commit(transaction)
      return result
    } finally {
      this.#queue.leave()
    }
  }

  #open(): StorageReader {
    if (!this.#isOpen) throw coreError('CLOSED', 'The memory store is not open.')
    return this.#engine
  }
}
