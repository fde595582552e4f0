import { invalidPosition } from '@minions/core/storage'
import { NOTHING, parseSnapshot, SNAPSHOT, type Snapshot } from './snapshot.js'

/** A position inside the rows of the feed: after all entries of a row, or after the one at an index. */
export interface RowPosition {
  readonly seq: bigint
  readonly index?: number
}

/**
 * The progress of a reader. PostgreSQL numbers rows in the order in which they are written, not committed, so a running
 * transaction may hold a number below those that a reader has seen. A position therefore records what was committed
 * then: everything up to `seen` that is visible in `snapshot` was read.
 */
export interface FeedPosition {
  readonly seen: RowPosition
  /** The transaction that wrote the row of `seen`: proves that the feed is still the same. */
  readonly writer: string
  readonly snapshot: Snapshot
  /**
   * Rows below `seen` that were committed later and are visible in `until` are being read, and have been read up to
   * here. The rest of the feed comes after them, because it may build on them.
   */
  readonly late?: { readonly until: Snapshot; readonly seen: RowPosition }
}

/** The position before the first change. */
export const BEGINNING: FeedPosition = { seen: { seq: 0n }, writer: '0', snapshot: NOTHING }

const ROW = '(\\d{1,18})(?:\\.(\\d{1,9}))?'
const PATTERN = new RegExp(`^${ROW}:(\\d{1,20})/(${SNAPSHOT})(?:/(${SNAPSHOT})@${ROW})?$`)

export function formatPosition({ seen, writer, snapshot, late }: FeedPosition): string {
  const rest = late ? `/${late.until.text}@${formatRow(late.seen)}` : ''
  return `${formatRow(seen)}:${writer}/${snapshot.text}${rest}`
}

/** Parses the output of `formatPosition`. Throws `INVALID_CURSOR`. */
export function parsePosition(text: string): FeedPosition {
  const [, seq, index, writer, snapshot, until, lateSeq, lateIndex] = PATTERN.exec(text) ?? []
  if (seq === undefined || writer === undefined || snapshot === undefined) throw invalidPosition(text)
  const position = { seen: toRow(seq, index), writer, snapshot: parseSnapshot(snapshot) }
  if (until === undefined || lateSeq === undefined) return position
  return { ...position, late: { until: parseSnapshot(until), seen: toRow(lateSeq, lateIndex) } }
}

function formatRow({ seq, index }: RowPosition): string {
  return index === undefined ? String(seq) : `${seq}.${index}`
}

function toRow(seq: string, index: string | undefined): RowPosition {
  return index === undefined ? { seq: BigInt(seq) } : { seq: BigInt(seq), index: Number(index) }
}
