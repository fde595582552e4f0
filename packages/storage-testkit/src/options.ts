import type { ChangeRetention, StorageBackend } from '@minions/core/storage'

/** A storage for one test: empty, and not shared. */
export interface TestStorage {
  /** Not opened yet; the kit opens it. */
  readonly backend: StorageBackend
  /** Removes leftovers of the test. The kit has closed every backend before. */
  dispose(): Promise<void>
  /** Another backend on the same data, after the first was closed. Without it durability is not tested. */
  reopen?(): Promise<StorageBackend>
  /** Another backend on the same data while the first is in use. For stores that several processes may share. */
  connect?(): Promise<StorageBackend>
}

/** Special requirements of a case. */
export interface StorageSettings {
  /** Retention of the change feed, for backends that have one. */
  readonly changes?: ChangeRetention
}

/** Options of `storageConformance` and `clientConformance`. */
export interface ConformanceOptions {
  /** Part of the names of the tests. */
  readonly name: string
  /**
   * Creates a storage for one test; called at least once for each. A backend with a change feed receives its retention.
   */
  create(settings?: StorageSettings): Promise<TestStorage>
  /**
   * Default: `full`. `serial`: the store has one connection, so that a read outside a transaction waits until the
   * transaction has ended; cases that need more connections are skipped, with a reason.
   */
  readonly concurrency?: 'serial' | 'full'
  /** Timeout of one test in milliseconds. Default: 60,000. */
  readonly timeout?: number
}
