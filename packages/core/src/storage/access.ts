import type { Collection } from './collection.js'
import type { KeyPart } from './key.js'
import type { CollectionQuery, Page } from './query.js'
import type { WriteBatch } from './write-batch.js'

/** A record with its current revision. */
export interface Revised<T> {
  readonly record: T
  readonly revision: string
}

/** What a write expects of the record it replaces: a revision, or that there is none. */
export type Expectation = IfRevision | IfAbsent
export type IfRevision = { readonly ifRevision: string }
export type IfAbsent = { readonly ifAbsent: true }

export type Change<T> = (record: T) => NoInfer<T>

/** The key of a record: its single property, or all of them in order. */
export type Key = KeyPart | readonly KeyPart[]

/** Read access, inside a transaction or outside. */
export interface StoreReader {
  get<T>(collection: Collection<T>, key: Key): Promise<T | undefined>
  /** The record with its revision. */
  getRevised<T>(collection: Collection<T>, key: Key): Promise<Revised<T> | undefined>
  /** Records in the order of the keys, `undefined` where there is none. */
  getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(Revised<T> | undefined)[]>
  find<T>(collection: Collection<T>, query?: CollectionQuery): Promise<Page<T>>
  /** Like `find`, with the revision of each record. */
  findRevised<T>(collection: Collection<T>, query?: CollectionQuery): Promise<Page<Revised<T>>>
  /** Counts the records that `find` would return over all pages. */
  count(collection: Collection, query?: CollectionQuery): Promise<number>
  /** All records that `find` would return, page by page. */
  iterate<T>(collection: Collection<T>, query?: CollectionQuery): AsyncIterable<Revised<T>>
}

/** Read and write access. On a `Store` each call is its own transaction; in a transaction it takes part in it. */
export interface StoreAccess extends StoreReader {
  /** Writes a record and resolves to its new revision. */
  put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): Promise<string>
  /** Writes many records, in order, and resolves to their revisions. */
  putMany<T>(collection: Collection<T>, records: readonly NoInfer<T>[], expect?: IfAbsent): Promise<string[]>
  /** Removes a record; false when there was none. */
  delete(collection: Collection, key: Key, expect?: IfRevision): Promise<boolean>
  /** Removes many records; resolves to the number removed. */
  deleteMany(collection: Collection, keys: readonly Key[]): Promise<number>
  /**
   * Writes a batch: all of it, or nothing when one of its expectations does not hold (`CONFLICT`). It is cheaper than a
   * transaction with the same writes, and does not collide with others.
   */
  write(batch: WriteBatch): Promise<void>
  /**
   * Claims records: those that match, in the order of the query and up to its `limit` (default 1), are replaced with
   * the result of `change`. Resolves to their new state. Many processes can claim at once: no record goes to two of
   * them. `change` may be called again.
   */
  claim<T>(collection: Collection<T>, query: CollectionQuery, change: Change<T>): Promise<Revised<T>[]>
  /** Runs `work` in a transaction: the current one, or a new one. See `Store.transaction`. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
}

export interface TransactionOptions {
  /** Timeout in milliseconds; null: none. Default: the store's. */
  readonly timeout?: number | null
  /** Alias of `timeout` with the unit in its name; set only one of the two. */
  readonly timeoutMs?: number | null
}

/** A running transaction. */
export interface StoreTransaction extends StoreAccess {
  /** Called once, after commit, in order; never called if the transaction fails. */
  afterCommit(callback: () => void): void
}
