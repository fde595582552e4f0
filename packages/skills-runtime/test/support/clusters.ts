import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StorageBackend, Store } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { skillsCollections } from '../../src/index.js'
import { jobsCollections, StoreExecutor, type StoreExecutorOptions } from '../../src/jobs/index.js'
import type { ExecutorCluster } from '../../src/testing/index.js'

const collections = [...skillsCollections, ...jobsCollections]

/** A store that several processes, or what stands for them, have open. */
export class SharedStore implements ExecutorCluster {
  readonly #create: () => StorageBackend
  readonly #options: Partial<StoreExecutorOptions>
  readonly #cleanUp: () => void | Promise<void>
  readonly #stores: Store[] = []

  constructor(
    create: () => StorageBackend,
    cleanUp: () => void | Promise<void>,
    options: Partial<StoreExecutorOptions> = {},
  ) {
    this.#create = create
    this.#cleanUp = cleanUp
    this.#options = options
  }

  async open(): Promise<Store> {
    const store = await Store.open(this.#create(), collections)
    this.#stores.push(store)
    return store
  }

  async join(options: Partial<StoreExecutorOptions> = {}): Promise<StoreExecutor> {
    const store = await this.open()
    const watch = (wake: () => void) => store.backend.watchChanges?.(wake) ?? (() => {})
    return new StoreExecutor({ leaseMs: 2000, ...this.#options, ...options, store, watch })
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store.close()
    await this.#cleanUp()
  }
}

/** A cluster on a SQLite file of its own. */
export function onSqlite(options?: Partial<StoreExecutorOptions>): SharedStore & { readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'minions-jobs-'))
  const path = join(folder, 'jobs.db')
  const cluster = new SharedStore(
    () => sqliteStorage({ path, synchronous: 'off' }),
    () => rmSync(folder, { recursive: true, force: true }),
    options,
  )
  return Object.assign(cluster, { path })
}
