import { MinionsError } from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import {
  type ChangesRequest,
  type ClaimChange,
  type Collection,
  type CollectionDeclaration,
  type CollectionWrites,
  clientCollections,
  type QueryPlan,
  type Selection,
  type StorageBackend,
  type StorageCapabilities,
  type StorageChangePage,
  type StorageProblem,
  type StorageTransaction,
  type StoredRecord,
  type Wake,
  writeInTransaction,
} from '@minions/core/storage'
import { hostError } from '../errors.js'
import { LazyTransaction } from './lazy-transaction.js'
import { RoutedFeed } from './routed-feed.js'

/**
 * A backend that keeps some collections, given by name, in other backends. Reads go to the backend of a collection; a
 * transaction runs in the backend it touches first, and touching another throws `TRANSACTION_SPANS_BACKENDS`. Only a
 * collection that neither references another nor is referenced can be moved, which is checked before anything is
 * opened.
 */
export const routeStorage = guarded('routeStorage', routeStorageUnchecked)

function routeStorageUnchecked(main: StorageBackend, moved: Readonly<Record<string, StorageBackend>>): StorageBackend {
  return new RoutedStorage(main, new Map(Object.entries(moved)))
}

class RoutedStorage implements StorageBackend {
  readonly name: string
  readonly capabilities: StorageCapabilities
  readonly #main: StorageBackend
  readonly #routes: ReadonlyMap<string, StorageBackend>
  readonly #backends: readonly StorageBackend[]
  readonly #feed: RoutedFeed
  /** Transactions may not have reached a backend yet, so closing has to track them. */
  readonly #running = new Set<Promise<unknown>>()
  #isOpen = false

  constructor(main: StorageBackend, routes: ReadonlyMap<string, StorageBackend>) {
    this.#main = main
    this.#routes = routes
    this.#backends = [...new Set([main, ...routes.values()])]
    this.#feed = new RoutedFeed(this.#backends)
    this.name = main.name
    const capabilities = this.#backends.map((backend) => backend.capabilities)
    this.capabilities = {
      shared: capabilities.some(({ shared }) => shared),
      count: capabilities.every(({ count }) => count),
      search: capabilities.every(({ search }) => search),
      changes: this.#feed.isComplete,
      claim: capabilities.every(({ claim }) => claim === true),
    }
  }

  async open(collections: readonly Collection[]): Promise<void> {
    checkMovable([...this.#routes.keys()], collections, !this.#isOpen)
    const opened: StorageBackend[] = []
    try {
      for (const backend of this.#backends) {
        await backend.open(collections.filter(({ name }) => this.#backendOf(name) === backend))
        opened.push(backend)
      }
      for (const [name, backend] of this.#routes) if (backend !== this.#main) await checkLeftBehind(this.#main, name)
    } catch (error) {
      if (!this.#isOpen) await Promise.allSettled(opened.map((backend) => backend.close()))
      throw error
    }
    this.#isOpen = true
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await Promise.allSettled(this.#running)
    const results = await Promise.allSettled(this.#backends.map((backend) => backend.close()))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#backendOf(collection).get(collection, keys)
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#backendOf(collection).query(collection, plan)
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.#backendOf(collection).count(collection, selection)
  }

  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#run(() => new LazyTransaction(work, (collection) => this.#backendOf(collection)).run())
  }

  /** A transaction refuses a batch for several backends, like everything that spans them. */
  write(batch: readonly CollectionWrites[]): Promise<void> {
    const backends = new Set(batch.map(({ collection }) => this.#backendOf(collection)))
    const [only] = backends
    if (backends.size !== 1 || !only?.write) return this.transaction((tx) => writeInTransaction(tx, batch))
    return this.#run(async () => only.write?.(batch))
  }

  claim(collection: string, plan: QueryPlan, change: ClaimChange): Promise<StoredRecord[]> {
    return this.#run(async () => (await this.#backendOf(collection).claim?.(collection, plan, change)) ?? [])
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new MinionsError('CLOSED', `The ${this.name} store is not open.`)
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async catalogue(): Promise<CollectionDeclaration[]> {
    const all: CollectionDeclaration[] = []
    for (const backend of this.#backends) {
      all.push(...(await backend.catalogue()).filter(({ name }) => this.#backendOf(name) === backend))
    }
    return all.sort((a, b) => compareCodePoints(a.name, b.name))
  }

  async problems(): Promise<StorageProblem[]> {
    const found = await Promise.all(this.#backends.map(async (backend) => (await backend.problems?.()) ?? []))
    return found.flat()
  }

  async changes(request: ChangesRequest): Promise<StorageChangePage> {
    if (this.capabilities.changes) return this.#feed.read(request)
    throw new MinionsError('CAPABILITY_MISSING', `One of the backends of the ${this.name} store has no change feed.`)
  }

  watchChanges(wake: Wake): () => void {
    return this.#feed.watch(wake)
  }

  #backendOf(collection: string): StorageBackend {
    return this.#routes.get(collection) ?? this.#main
  }
}

function checkMovable(moved: readonly string[], collections: readonly Collection[], isFirst: boolean): void {
  for (const name of moved) {
    const declared = collections.find((collection) => collection.name === name)
    if (!declared && isFirst) throw notMovable(name, 'no plugin declares it; check the name')
    if (clientCollections.some((own) => own.name === name))
      throw notMovable(name, 'the client requires it in the main backend')
    const [reference] = declared?.declaration.references ?? []
    if (reference) throw notMovable(name, `it references "${reference.collection}"`, reference.collection)
    const referring = collections.find(({ declaration }) => declaration.references.some((r) => r.collection === name))
    if (referring) throw notMovable(name, `"${referring.name}" references it`, referring.name)
  }
}

/** Records that the main backend already has would silently become invisible. */
async function checkLeftBehind(main: StorageBackend, name: string): Promise<void> {
  const catalogue = await main.catalogue()
  const referring = catalogue.find(({ references }) => references.some((reference) => reference.collection === name))
  if (referring) throw notMovable(name, `"${referring.name}", which is in the store, references it`, referring.name)
  if (!catalogue.some((declaration) => declaration.name === name)) return
  const [remaining] = await main.query(name, { words: [], order: [], keyDirection: 'asc', limit: 1 })
  if (remaining) throw notMovable(name, `${main.name} still has records of it; move them first`)
}

function notMovable(collection: string, problem: string, other?: string): MinionsError {
  const message = `The collection "${collection}" cannot be kept in a separate backend: ${problem}.`
  return hostError('COLLECTION_NOT_MOVABLE', message, {
    details: { collection, ...(other !== undefined && { other }) },
  })
}
