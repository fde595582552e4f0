import { mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { MinionsError } from '@minions/core'
import { Mutex, MutexPool } from '@minions/core/coordination'
import { guarded } from '@minions/core/plugin'
import {
  type ChangeRetention,
  type ChangesRequest,
  type Collection,
  type CollectionDeclaration,
  type CollectionWrites,
  type QueryPlan,
  Retention,
  type Selection,
  type StorageBackend,
  type StorageChangePage,
  type StorageProblem,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core/storage'
import type { Detection } from './changes/change-source.js'
import type { FileFormat } from './codec/codec.js'
import { isReadOnly, translate } from './errors.js'
import { Folder } from './files/folder.js'
import { refuseForeign } from './files/foreign.js'
import { FileStore } from './store/file-store.js'

/** Stores of this process on the same folder take turns here, without polling the lock. */
const mutexes = new MutexPool()

export interface FsStorageOptions {
  /** The folder of the store. It is created when the store is opened. */
  readonly root: string
  /** Format of records. Default: `json` for a new store. A store keeps the format it was created with. */
  readonly format?: FileFormat
  /** Milliseconds to wait for another process that writes. Default: 10,000. */
  readonly busyTimeout?: number
  /**
   * Detection of manual edits. `watch`: the system reports them, so reads take the same time however large the store
   * is; the default on Linux. `scan`: every read checks every file; the default elsewhere, where notifications are
   * late, and suitable for folders shared with a virtual machine.
   */
  readonly detect?: Detection
  /** Retention of the change feed. Default: 7 days and a million changes. */
  readonly changes?: ChangeRetention
}

/** A backend that stores every record in its own readable file, to be edited by hand and kept in git. */
export const fsStorage = guarded('fsStorage', (options: FsStorageOptions): StorageBackend => {
  return new FsStorage(options)
})

class FsStorage implements StorageBackend {
  readonly name = 'fs'
  readonly capabilities = { shared: true, count: true, search: true, changes: true }
  readonly #root: string
  readonly #options: FsStorageOptions
  readonly #retention: Retention
  readonly #opening = new Mutex()
  #store: FileStore | undefined

  constructor(options: FsStorageOptions) {
    checkOptions(options)
    this.#root = resolve(options.root)
    this.#options = options
    this.#retention = new Retention('fsStorage', options.changes)
  }

  open(collections: readonly Collection[]): Promise<void> {
    return this.#opening.run(() =>
      this.#translated(async () => {
        if (this.#store) return this.#store.declare(collections)
        const store = this.#connect()
        try {
          await store.declare(collections)
          this.#store = store
        } catch (error) {
          await store.close()
          mutexes.close(store.root)
          throw error
        }
      }),
    )
  }

  close(): Promise<void> {
    return this.#opening.run(() =>
      this.#translated(async () => {
        const store = this.#store
        if (!store) return
        this.#store = undefined
        await store.close()
        mutexes.close(store.root)
      }),
    )
  }

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#translated(async () => (await this.#open().refresh()).engine.get(collection, keys))
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#translated(async () => (await this.#open().refresh()).engine.query(collection, plan))
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.#translated(async () => (await this.#open().refresh()).engine.count(collection, selection))
  }

  catalogue(): Promise<CollectionDeclaration[]> {
    return this.#translated(async () => (await this.#open().refresh()).engine.catalogue())
  }

  problems(): Promise<StorageProblem[]> {
    return this.#translated(async () => this.#open().problems())
  }

  changes(request: ChangesRequest): Promise<StorageChangePage> {
    return this.#translated(async () => this.#open().changes(request))
  }

  watchChanges(wake: () => void): () => void {
    return this.#open().watchChanges(wake)
  }

  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#translated(async () => this.#open().transaction(work))
  }

  write(batch: readonly CollectionWrites[]): Promise<void> {
    return this.#translated(async () => this.#open().write(batch))
  }

  #connect(): FileStore {
    const { format, busyTimeout = 10_000, detect = process.platform === 'linux' ? 'watch' : 'scan' } = this.#options
    refuseForeign(this.#root)
    mkdirSync(this.#root, { recursive: true })
    const folder = new Folder(realpathSync(this.#root))
    try {
      folder.createStateFolders()
    } catch (error) {
      // Such a store can still be read.
      if (!isReadOnly(error)) throw error
    }
    return new FileStore({
      folder,
      format,
      busyTimeout,
      detect,
      mutex: mutexes.open(folder.root),
      retention: this.#retention,
    })
  }

  #open(): FileStore {
    if (!this.#store) throw new MinionsError('CLOSED', `The file store "${this.#root}" is not open.`)
    return this.#store
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw translate(error, this.#root)
    }
  }
}

function checkOptions(options: FsStorageOptions): void {
  const { root, format, busyTimeout, detect } = options ?? {}
  if (typeof root !== 'string' || root === '' || root.includes('\0')) {
    throw new MinionsError('VALIDATION_FAILED', 'fsStorage needs the path of a folder as `root`.')
  }
  if (format !== undefined && !['json', 'yaml'].includes(format)) {
    throw new MinionsError('VALIDATION_FAILED', 'The format of a file store must be "json" or "yaml".')
  }
  if (busyTimeout !== undefined && !(typeof busyTimeout === 'number' && busyTimeout >= 0)) {
    throw new MinionsError('VALIDATION_FAILED', 'The `busyTimeout` of a file store must be a number of milliseconds.')
  }
  if (detect !== undefined && !['watch', 'scan'].includes(detect)) {
    throw new MinionsError('VALIDATION_FAILED', 'A file store detects edits by "watch" or "scan".')
  }
}
