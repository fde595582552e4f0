import type { JsonScalar } from '../../json/json-value.js'

/** A committed change of one record, as a backend gives it. */
export interface StorageChange {
  /** Where the feed goes on behind this change. Written and read by the backend; printable ASCII without spaces. */
  readonly position: string
  readonly collection: string
  readonly key: string
  readonly kind: 'put' | 'delete'
  /** The revision that was written; of a delete, the one that the record had. */
  readonly revision: string
  /** When it was written, as an RFC 3339 timestamp in UTC. */
  readonly at: string
  /** Of a delete: the required columns of the record that is gone, lists apart, so that listeners can still filter it. */
  readonly columns?: RemovedColumns
}

/** The required scalar columns of a record that was removed, by name. */
export type RemovedColumns = Readonly<Record<string, JsonScalar>>

/** Which part of the feed is wanted. */
export interface ChangesRequest {
  /** A position, `start` (the oldest change that is kept) or `now` (behind everything that is committed). */
  readonly since: string
  /** Only changes of these collections; all unless given. */
  readonly collections?: readonly string[] | undefined
  /** At most this many changes; at least 1. */
  readonly limit: number
}

/** The next changes, oldest first. */
export interface StorageChangePage {
  readonly changes: readonly StorageChange[]
  /** Where the feed goes on. It moves on past changes of other collections too. */
  readonly position: string
  /** More changes follow at once. */
  readonly more: boolean
}
