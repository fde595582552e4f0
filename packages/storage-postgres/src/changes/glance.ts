import type { ChangeEntry } from '@minions/core/storage'
import type { Executor, ResultRow } from '../executor.js'
import { CHANGES, FEED, qualified } from '../names.js'
import type { FeedPosition } from './position.js'
import { parseSnapshot, type Snapshot } from './snapshot.js'

/** A row of the feed. */
export interface FeedRow {
  readonly seq: bigint
  readonly xid: string
  readonly at: number
  readonly collection: string
  readonly entries: readonly ChangeEntry[]
}

/** The feed after a position, as seen by one statement. */
export interface Glance {
  /** The snapshot of the statement. */
  readonly snapshot: Snapshot
  /** The latest transaction whose changes were removed; undefined if none were. */
  readonly removed: bigint | undefined
  readonly newest: { readonly seq: bigint; readonly xid: string } | undefined
  /** Rows below the position that were committed after it. */
  readonly late: readonly FeedRow[]
  /** The row of the position and those after it. */
  readonly rows: readonly FeedRow[]
}

const COLUMNS = 'seq, xid, floor(extract(epoch FROM at) * 1000), collection, entries'

/** The statement that reads a feed. All of it sees one snapshot, which is part of the result. */
export function glanceText(schema: string): string {
  const changes = qualified(schema, CHANGES)
  const wanted = '($7::text[] IS NULL OR collection = ANY($7::text[]))'
  const isLate = (condition: string) => `SELECT seq FROM ${changes} WHERE ${condition} AND seq < $1::bigint`
  // Found by transaction, of which there are few, before anything is sorted.
  const late = `${isLate('xid = ANY($2::xid8[])')} UNION ALL ${isLate('xid >= $3::xid8')}`
  const visible = '($4::pg_snapshot IS NULL OR pg_visible_in_snapshot(xid, $4::pg_snapshot))'
  const parts = [
    `(SELECT true AS is_late, ${COLUMNS} FROM ${changes} WHERE seq IN (SELECT seq FROM late) AND seq >= $5::bigint AND ${visible} AND ${wanted} ORDER BY seq LIMIT $6::integer + 1)`,
    `(SELECT false, ${COLUMNS} FROM ${changes} WHERE seq >= $1::bigint AND (seq = $1::bigint OR ${wanted}) ORDER BY seq LIMIT $6::integer + 1)`,
  ]
  const newest = `SELECT seq, xid FROM ${changes} ORDER BY seq DESC LIMIT 1`
  return `WITH late AS MATERIALIZED (${late}) SELECT pg_current_snapshot(), f.removed, n.seq, n.xid, r.* FROM ${qualified(schema, FEED)} f LEFT JOIN (${newest}) n ON true LEFT JOIN (${parts.join(' UNION ALL ')}) r ON true ORDER BY r.seq`
}

/** Reads the feed after a position: at most `most` rows of each kind, and one that may have been read already. */
export async function glance(
  executor: Executor,
  text: string,
  { seen, snapshot, late }: FeedPosition,
  collections: readonly string[] | undefined,
  most: number,
): Promise<Glance> {
  const values = [
    String(seen.seq),
    snapshot.running,
    String(snapshot.xmax),
    late?.until.text ?? null,
    String(late?.seen.seq ?? 0n),
    most,
    collections ?? null,
  ]
  const { rows } = await executor.run({ text, values, prepared: true })
  const [now, removed, newestSeq, newestXid] = rows[0] as ResultRow
  const found = rows.filter(([, , , , isLate]) => isLate !== null)
  return {
    snapshot: parseSnapshot(now ?? ''),
    removed: removed ? BigInt(removed) : undefined,
    newest: newestSeq && newestXid ? { seq: BigInt(newestSeq), xid: newestXid } : undefined,
    late: found.filter((row) => row[4] === 't').map(toRow),
    rows: found.filter((row) => row[4] === 'f').map(toRow),
  }
}

function toRow(row: ResultRow): FeedRow {
  const [seq, xid, at, collection, entries] = row.slice(5) as [string, string, string, string, string]
  return { seq: BigInt(seq), xid, at: Number(at), collection, entries: JSON.parse(entries) as ChangeEntry[] }
}
