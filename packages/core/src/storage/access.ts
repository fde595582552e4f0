import type { Collection } from './collection.js'
import type { KeyPart } from './key.js'
import type { CollectionQuery, Page } from './query.js'
import type { WriteBatch } from './write-batch.js'

/** A record with the revision it has now. */
export interface Revised<T> {
  readonly record: T
  readonly revision: string
}

/** What a write requires of the record it replaces: a revision, or that there is none. */
export type Expectation = { readonly ifRevision: string } | { readonly ifAbsent: true }

/** The key of a record: its one property, or all of them in order. */
export type Key = KeyPart | readonly KeyPart[]

/** Reading, in a transaction or outside one. */
export interface StoreReader {
  get<T>(collection: Collection<T>, key: Key): Promise<T | undefined>
  /** The record with its revision. */
  getRevised<T>(collection: Collection<T>, key: Key): Promise<Revised<T> | undefined>
  /** Records in the order of the keys, `undefined` where there is none. */
  getMany<T>(collection: Collection<T>, keys: readonly Key[]): Promise<(Revised<T> | undefined)[]>
  find<T>(collection: Collection<T>, query?: CollectionQuery): Promise<Page<T>>
  /** Like `find`, with the revision of each record. */
  findRevised<T>(collection: Collection<T>, query?: CollectionQuery): Promise<Page<Revised<T>>>
  /** How many records `find` would give, page after page. */
  count(collection: Collection, query?: CollectionQuery): Promise<number>
  /** All records that `find` would give, page after page. */
  iterate<T>(collection: Collection<T>, query?: CollectionQuery): AsyncIterable<Revised<T>>
}

/** Reading and writing. On a `Store` each call is a transaction of its own; in a transaction it takes part in it. */
export interface StoreAccess extends StoreReader {
  /** Writes a record and resolves to its new revision. */
  put<T>(collection: Collection<T>, record: NoInfer<T>, expect?: Expectation): Promise<string>
  /** Writes many records, in order, and resolves to their revisions. */
  putMany<T>(
    collection: Collection<T>,
    records: readonly NoInfer<T>[],
    expect?: { readonly ifAbsent: true },
  ): Promise<string[]>
  /** Removes a record; false when there was none. */
  delete(collection: Collection, key: Key, expect?: { readonly ifRevision: string }): Promise<boolean>
  /** Removes many records; resolves to how many there were. */
  deleteMany(collection: Collection, keys: readonly Key[]): Promise<number>
  /**
   * Writes a batch: all of it, or nothing when one of its expectations does not hold (`CONFLICT`). It costs less than a
   * transaction with the same writes, and does not collide with others.
   */
  write(batch: WriteBatch): Promise<void>
  /**
   * Takes records that no one else is taking: those that match, in the order of the query and one unless its `limit` says
   * otherwise, are replaced by what `change` makes of them. Resolves to what they are now. Many processes can claim at
   * once: no record goes to two of them. `change` may be called again.
   */
  claim<T>(collection: Collection<T>, query: CollectionQuery, change: (record: T) => NoInfer<T>): Promise<Revised<T>[]>
  /** Runs `work` in a transaction: the one under way, or a new one. See `Store.transaction`. */
  transaction<T>(work: (tx: StoreTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
}

export interface TransactionOptions {
  /** Milliseconds until it is given up; null: never. The store's own unless given. */
  readonly timeout?: number | null
  /** The same with its unit in its name; one of the two is enough. */
  readonly timeoutMs?: number | null
}

/** A transaction under way. */
export interface StoreTransaction extends StoreAccess {
  /** Called once, after commit, in order; never called if the transaction fails. */
  afterCommit(callback: () => void): void
}
