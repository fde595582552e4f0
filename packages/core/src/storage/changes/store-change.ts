import type { Key } from '../access.js'
import type { Collection } from '../collection.js'
import type { StorageChange, StorageChangePage } from './feed.js'

/** A committed change of one record. */
export interface StoreChange extends Omit<StorageChange, 'position' | 'key'> {
  /** Pass it as `since` to continue after this change, in this process or a later one. */
  readonly cursor: string
  /** The key of the record, as accepted by `get`. */
  readonly key: Key
}

/** Consecutive changes, oldest first. */
export interface StoreChangePage {
  readonly items: readonly StoreChange[]
  /** Where the next page begins; it advances past changes of other collections too. */
  readonly cursor: string
  /** True if more changes are available immediately. */
  readonly more: boolean
}

/** Selects changes. */
export interface ChangesQuery {
  /** The cursor of a change or page, `now` (the default: only later commits) or `start` (everything retained). */
  readonly since?: string | undefined
  /** Only changes of these collections. Default: all. */
  readonly collections?: readonly (string | Collection)[] | undefined
}

export interface ChangePageQuery extends ChangesQuery {
  /** Page size, up to 1,000. Default: 100. */
  readonly limit?: number | undefined
}

export interface FollowOptions extends ChangesQuery {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined
}

export function toStorePage(
  { changes, position, more }: StorageChangePage,
  collections: ReadonlyMap<string, Collection>,
): StoreChangePage {
  return { items: changes.map((change) => toStoreChange(change, collections)), cursor: position, more }
}

function toStoreChange(
  { position: cursor, collection, key: encoded, kind, revision, at, columns }: StorageChange,
  collections: ReadonlyMap<string, Collection>,
): StoreChange {
  const key = collections.get(collection)?.decodeKey(encoded) ?? encoded
  return { cursor, collection, key, kind, revision, at, ...(columns && { columns }) }
}
