import type { Key } from '../access.js'
import type { Collection } from '../collection.js'
import type { RemovedColumns, StorageChange, StorageChangePage } from './feed.js'

/** A committed change of one record. */
export interface StoreChange {
  /** Pass it as `since` to go on behind this change, in this process or a later one. */
  readonly cursor: string
  readonly collection: string
  /** The key of the record, as `get` takes it. */
  readonly key: Key
  readonly kind: 'put' | 'delete'
  /** The revision that was written; of a delete, the one that the record had. */
  readonly revision: string
  /** When it was written, as an RFC 3339 timestamp in UTC, by the clock of the store. */
  readonly at: string
  /** Of a delete: the required columns that the record had, lists apart. */
  readonly columns?: RemovedColumns
}

/** Changes that follow one another, oldest first. */
export interface StoreChangePage {
  readonly items: readonly StoreChange[]
  /** Where the next page begins; it moves on past changes of other collections too. */
  readonly cursor: string
  /** More changes follow at once. */
  readonly more: boolean
}

/** Which changes are wanted. */
export interface ChangesQuery {
  /** The cursor of a change or page, `now` (the default: only what is committed from now on) or `start` (all that are kept). */
  readonly since?: string | undefined
  /** Only changes of these collections; all unless given. */
  readonly collections?: readonly (string | Collection)[] | undefined
}

export interface ChangePageQuery extends ChangesQuery {
  /** Most changes in a page, up to 1,000; 100 unless given. */
  readonly limit?: number | undefined
}

export interface FollowOptions extends ChangesQuery {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined
}

/** What a backend gives, as users of a store see it. */
export function toStorePage(
  { changes, position, more }: StorageChangePage,
  collections: ReadonlyMap<string, Collection>,
): StoreChangePage {
  return { items: changes.map((change) => toStoreChange(change, collections)), cursor: position, more }
}

function toStoreChange(
  { position, collection, key, kind, revision, at, columns }: StorageChange,
  collections: ReadonlyMap<string, Collection>,
): StoreChange {
  const decoded = collections.get(collection)?.decodeKey(key) ?? key
  const change = { cursor: position, collection, key: decoded, kind, revision, at }
  return columns === undefined ? change : { ...change, columns }
}
