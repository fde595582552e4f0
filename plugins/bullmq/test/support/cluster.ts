import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Store } from '@minions/core/storage'
import { type Executor, jobsCollections } from '@minions/skills-runtime/jobs'
import type { ExecutorCluster } from '@minions/skills-runtime/testing'
import { sqliteStorage } from '@minions/storage-sqlite'
import { withClient } from '../../../redis/test/support/redis.ts'
import { type BullmqExecutorOptions, bullmqCollections, bullmqExecutor } from '../../src/index.ts'

/** Executors on one SQLite file whose jobs are announced by one BullMQ. */
export class TestCluster implements ExecutorCluster {
  readonly prefix = `t${randomUUID().replaceAll('-', '').slice(0, 20)}`
  readonly url: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'minions-bullmq-'))
  readonly #stores: Store[] = []
  readonly #executors: Executor[] = []

  constructor(url: string) {
    this.url = url
  }

  /** The file of the store. */
  get path(): string {
    return join(this.#folder, 'jobs.db')
  }

  async join(options: Partial<BullmqExecutorOptions> = {}): Promise<Executor> {
    const backend = sqliteStorage({ path: this.path, synchronous: 'off' })
    const store = await Store.open(backend, [...jobsCollections, ...bullmqCollections])
    this.#stores.push(store)
    const watch = (wake: () => void) => store.backend.watchChanges?.(wake) ?? (() => {})
    const executor = await bullmqExecutor({
      url: this.url,
      prefix: this.prefix,
      store,
      watch,
      leaseMs: 10_000,
      ...options,
    })
    this.#executors.push(executor)
    return executor
  }

  async close(): Promise<void> {
    for (const executor of this.#executors) await executor.close()
    for (const store of this.#stores) await store.close()
    rmSync(this.#folder, { recursive: true, force: true })
    if (this.url.startsWith('redis')) await removeKeys(this.url, this.prefix)
  }
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  await withClient(url, async (client) => {
    const keys = await client.keys(`${prefix}:*`)
    if (keys.length > 0) await client.del(...keys)
  }).catch(() => {})
}
