import { guardMethods } from '@minions/core/plugin'
import { type Revised, type StoreAccess, unlessConflict } from '@minions/core/storage'
import { type WorkerRecord, workersCollection } from './collections.js'

/** The workers on a store. */
export class WorkerRoster {
  readonly #store: StoreAccess

  constructor(store: StoreAccess) {
    this.#store = store
  }

  /** Adds a worker before it takes its first job; resolves to the revision that its first beat expects. */
  join(record: WorkerRecord): Promise<string> {
    return this.#store.put(workersCollection, record, { ifAbsent: true })
  }

  /** Renews the lease of a worker. Resolves to undefined when another worker has marked it dead. */
  async beat(record: WorkerRecord, ifRevision: string): Promise<string | undefined> {
    const revision = await unlessConflict(this.#store.put(workersCollection, record, { ifRevision }))
    if (revision !== undefined) return revision
    const found = await this.#store.getRevised(workersCollection, record.worker_id)
    // The previous heartbeat was written although it seemed to fail.
    return found === undefined ? undefined : this.beat(record, found.revision)
  }

  async leave(workerId: string): Promise<void> {
    await this.#store.delete(workersCollection, workerId)
  }

  async all(): Promise<Revised<WorkerRecord>[]> {
    return (await this.#store.findRevised(workersCollection, { limit: 10_000 })).items
  }

  /** Marks a worker dead. Resolves to false if it has shown that it is alive. */
  async markDead({ record, revision }: Revised<WorkerRecord>): Promise<boolean> {
    const removal = this.#store.delete(workersCollection, record.worker_id, { ifRevision: revision })
    return (await unlessConflict(removal)) !== undefined
  }
}

guardMethods(WorkerRoster)
