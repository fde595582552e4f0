import type { Revised } from './access.js'
import type { CollectionWrites, DataVersion, RecordText } from './backend.js'
import type { Collection } from './collection.js'
import type { CollectionQuery, Page } from './query.js'

/** Where a store has its `UnguardedAccess`. A registered symbol, as for `STORE`. */
export const UNGUARDED = Symbol.for('@minions/store.unguarded')

/** A record with its current revision, and what else the backend has at hand. */
export interface RevisedText<T> extends Revised<T>, Pick<RecordText, 'json' | 'version'> {}

/** A page, with the version of the data that it was read from, where the backend has it at hand. */
export interface VersionedPage<T> extends Page<T> {
  readonly version?: DataVersion | undefined
}

/**
 * Access for the client of this package, whose arguments need no guard: a guard adds a promise to every answer, which is a
 * good part of a read by key. Keys are encoded.
 */
export interface UnguardedAccess {
  /** The record that `get` would find, at once: null if there is none, undefined if it has to be waited for. */
  getNow<T>(collection: Collection<T>, key: string): RevisedText<T> | null | undefined
  get<T>(collection: Collection<T>, key: string): Promise<RevisedText<T> | undefined>
  find<T>(collection: Collection<T>, query: CollectionQuery): Promise<VersionedPage<T>>
  /** Writes what a batch has for a backend. */
  write(parts: readonly CollectionWrites[]): Promise<void>
}
