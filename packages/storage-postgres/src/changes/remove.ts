import { MOST_REMOVED_AT_ONCE, type Retention } from '@minions/core/storage'
import type { Executor } from '../executor.js'
import { CHANGES, FEED, qualified } from '../names.js'

/**
 * Removes expired changes, a few at a time. Counts rows as changes: most hold one. Runs outside transactions, which
 * would conflict with writers.
 */
export async function removeChanges(executor: Executor, schema: string, retention: Retention): Promise<void> {
  const changes = qualified(schema, CHANGES)
  const { rows } = await executor.run({
    text: `SELECT seq, floor(extract(epoch FROM at) * 1000), (SELECT max(seq) FROM ${changes}), floor(extract(epoch FROM clock_timestamp()) * 1000) FROM ${changes} ORDER BY seq LIMIT $1::integer`,
    values: [MOST_REMOVED_AT_ONCE],
    prepared: true,
  })
  const [, , newest, now] = rows[0] ?? []
  const oldest = rows.map(([seq, at]) => ({ number: Number(seq), at: Number(at) }))
  const count = retention.removable(oldest, Number(newest), Number(now))
  const last = oldest[count - 1]
  if (last === undefined) return
  // In one statement, so that readers see both or neither.
  await executor.run({
    text: `WITH gone AS (DELETE FROM ${changes} WHERE seq <= $1::bigint RETURNING xid), latest AS (SELECT xid FROM gone ORDER BY xid DESC LIMIT 1) UPDATE ${qualified(schema, FEED)} SET removed = greatest(removed, latest.xid) FROM latest`,
    values: [last.number],
    prepared: true,
  })
  if (count === MOST_REMOVED_AT_ONCE) retention.again()
}
