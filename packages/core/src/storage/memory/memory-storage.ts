import { Mutex } from '../../coordination/mutex.js'
import { coreError } from '../../errors/codes.js'
import { takeOptions } from '../../errors/take.js'
import type {
  CollectionWrites,
  QueryPlan,
  Selection,
  StorageBackend,
  StorageReader,
  StorageTransaction,
  StoredRecord,
  Wake,
} from '../backend.js'
import type { ChangesRequest, StorageChangePage } from '../changes/feed.js'
import type { NotedChanges } from '../changes/notes.js'
import { type ChangeRetention, Retention } from '../changes/retention.js'
import { ChangeWatchers } from '../changes/watchers.js'
import type { Collection } from '../collection.js'
import type { CollectionDeclaration } from '../declaration.js'
import { MemoryEngine, type MemoryTransaction } from './engine.js'
import { changesIn, changesOfUpgrade, MemoryFeed } from './feed.js'

export interface MemoryStorageOptions {
  /** Retention of the change feed. Default: 7 days and 100,000 changes. */
  readonly changes?: ChangeRetention
}

/** Default number of retained changes: about 10 MB. */
const MOST_CHANGES = 100_000

/** A backend in memory, with the same rules as persistent ones. The data is lost when the process ends. */
export function memoryStorage(options: MemoryStorageOptions = {}): StorageBackend {
  const { changes } = takeOptions('The options of memoryStorage', options)
  return new MemoryStorage(new Retention('memoryStorage', changes, MOST_CHANGES))
}

class MemoryStorage implements StorageBackend {
  readonly name = 'memory'
  readonly capabilities = { shared: false, count: true, search: true, changes: true }
  readonly #engine = new MemoryEngine()
  readonly #feed: MemoryFeed
  readonly #watchers = new ChangeWatchers()
  readonly #mutex = new Mutex()
  #isOpen = false

  constructor(retention: Retention) {
    this.#feed = new MemoryFeed(retention)
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#mutex.run(async () => {
      const upgraded = this.#engine.declare(collections)
      this.#isOpen = true
      if (upgraded.length > 0) this.#note(upgraded.map(({ before, after }) => changesOfUpgrade(before, after)))
    })
  }

  close(): Promise<void> {
    return this.#mutex.run(async () => {
      this.#isOpen = false
      this.#watchers.close()
    })
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#open().get(collection, keys)
  }

  getNow(collection: string, key: string): StoredRecord | null {
    this.#open()
    return this.#engine.getNow(collection, key)
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
    const waiting = this.#mutex.acquire()
    if (waiting) await waiting
    try {
      this.#open()
      const transaction = this.#engine.begin()
      const result = await work(transaction)
      this.#commit(transaction)
      return result
    } finally {
      this.#mutex.release()
    }
  }

  async write(batch: readonly CollectionWrites[]): Promise<void> {
    const waiting = this.#mutex.acquire()
    if (waiting) await waiting
    try {
      this.#open()
      const transaction = this.#engine.begin()
      for (const writes of batch) transaction.write(writes)
      this.#commit(transaction)
    } finally {
      this.#mutex.release()
    }
  }

  async changes(request: ChangesRequest): Promise<StorageChangePage> {
    this.#open()
    return this.#feed.read(request)
  }

  readonly dataVersion = (): number => this.#watchers.commits

  watchChanges(wake: Wake): () => void {
    return this.#watchers.add(wake)
  }

  #commit(transaction: MemoryTransaction): void {
    const changes = transaction.changes.map(changesIn)
    this.#engine.commit(transaction)
    this.#note(changes)
  }

  #note(changes: readonly NotedChanges[]): void {
    this.#feed.append(changes)
    this.#watchers.wake(new Set(changes.map(({ collection }) => collection)))
  }

  #open(): StorageReader {
    if (!this.#isOpen) throw coreError('CLOSED', 'The memory store is not open.')
    return this.#engine
  }
}
