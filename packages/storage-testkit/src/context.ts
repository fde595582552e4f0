import { coreError, Minions, type MinionsOptions } from '@minions/core'
import { type Collection, type StorageBackend, Store, type StoreOptions } from '@minions/core/storage'
import type { ConformanceOptions, StorageSettings, TestStorage } from './options.js'
import { ticking } from './ticking.js'

/** Thrown by a case that cannot be run here; the test is reported as skipped, with the reason. */
export class Skipped extends Error {}

/** The context of a case. Everything it opens is closed afterwards. */
export class Context {
  /** The name of the backend in the tests. */
  readonly name: string
  readonly concurrency: 'serial' | 'full'
  readonly #options: ConformanceOptions
  readonly #storages: TestStorage[]
  readonly #opened: StorageBackend[] = []
  #backend: StorageBackend

  private constructor(options: ConformanceOptions, storage: TestStorage) {
    this.name = options.name
    this.concurrency = options.concurrency ?? 'full'
    this.#options = options
    this.#storages = [storage]
    this.#backend = storage.backend
    this.#closeLater(storage.backend)
  }

  static async create(options: ConformanceOptions): Promise<Context> {
    const storage = await options.create()
    if (typeof storage?.backend?.open !== 'function') {
      throw coreError('VALIDATION_FAILED', '`create` of the options must resolve to { backend }.')
    }
    return new Context(options, storage)
  }

  /** The backend in use: the first one, or after `reopen` the new one. */
  get backend(): StorageBackend {
    return this.#backend
  }

  get canReopen(): boolean {
    return this.#storages[0]?.reopen !== undefined
  }

  get canConnect(): boolean {
    return this.#storages[0]?.connect !== undefined
  }

  /** Opens the backend with some collections, or gives an open one more of them. */
  open(...collections: Collection[]): Promise<Store> {
    return this.openWith({}, ...collections)
  }

  openWith(options: StoreOptions, ...collections: Collection[]): Promise<Store> {
    return Store.open(this.#backend, collections, options)
  }

  /** A client on the backend in use, with a clock that advances by itself. */
  client(options: Partial<MinionsOptions> = {}): Promise<Minions> {
    return Minions.open({ storage: this.#backend, clock: ticking(), ...options })
  }

  /** Closes the backend and continues with another one on the same data. Skips the case where that is not supported. */
  async reopen(): Promise<void> {
    const reopen = this.#storages[0]?.reopen
    if (!reopen) throw new Skipped('reopen(): return it from create()')
    await this.#backend.close()
    this.#backend = this.#closeLater(await reopen.call(this.#storages[0]))
  }

  /** Like `reopen`; a store that does not outlive its backend stays open, and is opened again as it is. */
  async reopenIfPossible(): Promise<void> {
    if (this.canReopen) await this.reopen()
  }

  /** Opens the store as a program does that starts after another has ended. */
  async openAgain(...collections: Collection[]): Promise<Store> {
    await this.reopenIfPossible()
    return this.open(...collections)
  }

  async clientAgain(options?: Partial<MinionsOptions>): Promise<Minions> {
    await this.reopenIfPossible()
    return this.client(options)
  }

  /** A second backend on the same data. Skips the case where that is not supported. */
  async connect(): Promise<StorageBackend> {
    const [storage] = this.#storages
    if (!storage?.connect) throw new Skipped('connect(): return it from create()')
    return this.#closeLater(await storage.connect())
  }

  /** A second storage of the same kind, empty. */
  async another(settings?: StorageSettings): Promise<StorageBackend> {
    const storage = await this.#options.create(settings)
    this.#storages.push(storage)
    return this.#closeLater(storage.backend)
  }

  /** Skips the case on a store without a change feed. */
  needsChanges(): void {
    if (!this.#backend.capabilities.changes) throw new Skipped('a change feed: capabilities.changes')
  }

  /** Skips the case on a store with one connection. */
  needsFullConcurrency(): void {
    if (this.concurrency === 'serial') throw new Skipped('a store with several connections')
  }

  async dispose(): Promise<void> {
    for (const backend of this.#opened.reverse()) await backend.close()
    for (const storage of this.#storages) await storage.dispose()
  }

  #closeLater(backend: StorageBackend): StorageBackend {
    this.#opened.push(backend)
    return backend
  }
}
