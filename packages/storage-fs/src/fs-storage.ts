import { mkdirSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Collection,
  type CollectionDeclaration,
  MinionsError,
  type QueryPlan,
  Queue,
  type Selection,
  type StorageBackend,
  type StorageProblem,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core'
import type { Detection } from './changes/change-source.js'
import type { FileFormat } from './codec/codec.js'
import { isReadOnly, translate } from './errors.js'
import { FileStore } from './file-store.js'
import { Folder } from './folder.js'
import { refuseForeign } from './foreign.js'
import { acquireQueue, releaseQueue } from './queues.js'

export interface FsStorageOptions {
  /** The folder of the store. It is created when the store is opened. */
  readonly root: string
  /** How records are written; `json` for a new store unless given. A store keeps the format it was made with. */
  readonly format?: FileFormat
  /** Milliseconds to wait for another process that writes; 10,000 unless given. */
  readonly busyTimeout?: number
  /**
   * How edits by hand are found. `watch`: the system tells of them, so reads take the same time however large the store
   * is; the default on Linux. `scan`: every read looks at every file; the default elsewhere, where notices come late,
   * and right for folders shared with a virtual machine.
   */
  readonly detect?: Detection
}

/** A backend that keeps every record in a readable file of its own, to be edited by hand and kept in git. */
export function fsStorage(options: FsStorageOptions): StorageBackend {
  return new FsStorage(options)
}

class FsStorage implements StorageBackend {
  readonly name = 'fs'
  readonly capabilities = { shared: true, count: true, search: true }
  readonly #root: string
  readonly #options: FsStorageOptions
  readonly #opening = new Queue()
  #store: FileStore | undefined

  constructor(options: FsStorageOptions) {
    checkOptions(options)
    this.#root = resolve(options.root)
    this.#options = options
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
          releaseQueue(store.root)
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
        releaseQueue(store.root)
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

  transaction<T>(work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
    return this.#translated(async () => this.#open().transaction(work))
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
    return new FileStore({ folder, format, busyTimeout, detect, queue: acquireQueue(folder.root) })
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
    throw new MinionsError('VALIDATION_FAILED', 'The format of a file store is "json" or "yaml".')
  }
  if (busyTimeout !== undefined && !(typeof busyTimeout === 'number' && busyTimeout >= 0)) {
    throw new MinionsError('VALIDATION_FAILED', 'The `busyTimeout` of a file store is a number of milliseconds.')
  }
  if (detect !== undefined && !['watch', 'scan'].includes(detect)) {
    throw new MinionsError('VALIDATION_FAILED', 'A file store finds edits by "watch" or "scan".')
  }
}
