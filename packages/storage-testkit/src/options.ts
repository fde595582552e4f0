import type { ChangeRetention, StorageBackend } from '@minions/core/storage'

/** A storage for one test: empty, and used by no one else. */
export interface TestStorage {
  /** Not opened yet; the kit opens it. */
  readonly backend: StorageBackend
  /** Removes what the test left behind. The kit has closed every backend before. */
  dispose(): Promise<void>
  /** Another backend on the same data, after the first was closed. Without it nothing is said about durability. */
  reopen?(): Promise<StorageBackend>
  /** Another backend on the same data while the first is in use. For stores that several processes may share. */
  connect?(): Promise<StorageBackend>
}

/** What a case needs of a storage beyond the usual. */
export interface StorageSettings {
  /** How much of the change feed to keep, for backends that have one. */
  readonly changes?: ChangeRetention
}

/** What `storageConformance` and `clientConformance` take. */
export interface ConformanceOptions {
  /** Stands in the names of the tests. */
  readonly name: string
  /** Makes a storage for one test; called once or more for each. A backend with a change feed is given its retention. */
  create(settings?: StorageSettings): Promise<TestStorage>
  /**
   * `full` unless given. `serial`: the store has one connection, so that a read outside a transaction waits until the
   * transaction has ended; what can only be shown with more is skipped, and says so.
   */
  readonly concurrency?: 'serial' | 'full'
  /** Milliseconds for one test; 60,000 unless given. */
  readonly timeout?: number
}
