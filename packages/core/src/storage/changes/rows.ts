import { guarded } from '../../errors/guard.js'
import { takeList } from '../../errors/take.js'
import { timestamp } from '../../time/clock.js'
import { changesExpired } from './errors.js'
import type { ChangesRequest, RemovedColumns, StorageChange, StorageChangePage } from './feed.js'
import { type ChangePosition, formatPosition, parsePosition } from './position.js'

/** A change in a row: key and revision, and the columns of a removed record. */
export type ChangeEntry =
  | readonly [key: string, revision: string]
  | readonly [key: string, revision: string, removed: RemovedColumns]

/** Changes of one collection committed together. */
export interface ChangeRow {
  /** Number of the last change in the row. Changes are numbered without gaps. */
  readonly number: number
  readonly collection: string
  /** Time of the write, in milliseconds since 1970. */
  readonly at: number
  readonly entries: readonly ChangeEntry[]
}

/** A feed of numbered rows, oldest first. */
export interface ChangeRows {
  /** Number of the last change before the feed began. */
  readonly base: number
  newest(): ChangeRow | undefined
  /** The row with the change of this number, or the first row after it, and all following rows. */
  from(number: number): Iterable<ChangeRow>
}

/** Answers a request from numbered rows. Throws `INVALID_CURSOR` and `CHANGES_EXPIRED`. */
export const readChanges = guarded('readChanges', (rows: ChangeRows, request: ChangesRequest): StorageChangePage => {
  const { since } = request
  if (since !== 'now') return pageBehind(rows, since === 'start' ? undefined : parsePosition(since), request)
  const newest = rows.newest()
  const position = newest ? lastPosition(newest) : { number: rows.base }
  return { changes: [], position: formatPosition(position), more: false }
})

function pageBehind(
  rows: ChangeRows,
  after: ChangePosition | undefined,
  { collections, limit }: ChangesRequest,
): StorageChangePage {
  const wanted = collections && new Set(takeList('The collections', collections))
  const changes: StorageChange[] = []
  let end: ChangePosition = after ?? { number: rows.base }
  let isFirst = true
  for (const row of rows.from(
    after === undefined ? 0 : after.revision === undefined ? after.number + 1 : after.number,
  )) {
    const first = row.number - row.entries.length + 1
    if (isFirst && after !== undefined) requirePosition(row, first, after)
    isFirst = false
    const start = Math.max(0, (after?.number ?? 0) - first + 1)
    if (wanted === undefined || wanted.has(row.collection)) {
      for (let index = start; index < row.entries.length; index++) {
        const [, revision] = row.entries[index] as ChangeEntry
        const change = toChange(row, index, formatPosition({ number: first + index, revision }))
        changes.push(change)
        if (changes.length >= limit) return { changes, position: change.position, more: true }
      }
    }
    end = lastPosition(row)
  }
  if (isFirst && after !== undefined && (after.revision !== undefined || after.number !== rows.base)) {
    throw changesExpired('replaced')
  }
  return { changes, position: formatPosition(end), more: false }
}

/** The feed can continue from a position only if it still has the change there, or begins there. */
function requirePosition(row: ChangeRow, first: number, { number, revision }: ChangePosition): void {
  if (revision === undefined ? first > number + 1 : first > number) throw changesExpired('removed')
  if (revision !== undefined && row.entries[number - first]?.[1] !== revision) throw changesExpired('replaced')
}

function lastPosition({ number, entries }: ChangeRow): ChangePosition {
  const revision = entries.at(-1)?.[1]
  return revision === undefined ? { number } : { number, revision }
}

/** A change of a row, at the position the backend assigns. */
export const toChange = guarded('toChange', toChangeUnchecked)

function toChangeUnchecked(
  { collection, at, entries }: Pick<ChangeRow, 'collection' | 'at' | 'entries'>,
  index: number,
  position: string,
): StorageChange {
  const [key, revision, columns] = entries[index] as ChangeEntry
  const change = { position, collection, key, revision, at: timestamp(at) }
  return columns === undefined ? { ...change, kind: 'put' } : { ...change, kind: 'delete', columns }
}
