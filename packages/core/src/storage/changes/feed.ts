import type { JsonScalar } from '../../json/json-value.js'

/** A committed change of one record, as returned by a backend. */
export interface StorageChange {
  /** Position after this change. Written and read by the backend; printable ASCII without spaces. */
  readonly position: string
  readonly collection: string
  readonly key: string
  readonly kind: 'put' | 'delete'
  /** The revision written; for a delete, the last revision of the record. */
  readonly revision: string
  /** Time of the write, as an RFC 3339 timestamp in UTC, by the clock of the store. */
  readonly at: string
  /** For a delete: the required columns of the removed record, except lists, so that listeners can still filter it. */
  readonly columns?: RemovedColumns
}

/** The required scalar columns of a removed record, by name. */
export type RemovedColumns = Readonly<Record<string, JsonScalar>>

/** Selects a part of the feed. */
export interface ChangesRequest {
  /** A position, `start` (the oldest retained change) or `now` (after everything committed). */
  readonly since: string
  /** Only changes of these collections. Default: all. */
  readonly collections?: readonly string[] | undefined
  /** Maximum number of changes; at least 1. */
  readonly limit: number
}

/** The next changes, oldest first. */
export interface StorageChangePage {
  readonly changes: readonly StorageChange[]
  /** Position of the next page. It advances past changes of other collections too. */
  readonly position: string
  /** True if more changes are available immediately. */
  readonly more: boolean
}
