import type { StorageBackend } from '@minions/core'

/** A storage for one test: empty, and used by nobody else. */
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

/** What `storageConformance` and `clientConformance` take. */
export interface ConformanceOptions {
  /** Stands in the names of the tests. */
  readonly name: string
  /** Makes a storage for one test; called once or more for each. */
  create(): Promise<TestStorage>
  /**
   * `full` unless given. `serial`: the store has one connection, so that a read outside a transaction waits until the
   * transaction has ended; what can only be shown with more is skipped, and says so.
   */
  readonly concurrency?: 'serial' | 'full'
  /** Milliseconds for one test; 60,000 unless given. */
  readonly timeout?: number
}
