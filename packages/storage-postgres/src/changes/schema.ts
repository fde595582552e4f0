import { sqlState } from '../errors.js'
import type { Executor } from '../executor.js'
import { CHANGES, FEED, qualified } from '../names.js'

/**
 * The statements that create the change feed. Each row holds changes of one collection and one transaction; `seq`
 * increases in the order in which rows are written, which for one record is the order of its commits.
 */
export function createFeed(schema: string): string[] {
  const changes = qualified(schema, CHANGES)
  const feed = qualified(schema, FEED)
  const next = 'pg_snapshot_xmax(pg_current_snapshot())'
  return [
    `CREATE TABLE IF NOT EXISTS ${changes} (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), at timestamptz NOT NULL DEFAULT clock_timestamp(), collection text COLLATE "C" NOT NULL, entries text NOT NULL)`,
    `CREATE INDEX IF NOT EXISTS "${CHANGES}_xid" ON ${changes} (xid, seq)`,
    // The latest transaction whose changes were removed.
    `CREATE TABLE IF NOT EXISTS ${feed} (id integer PRIMARY KEY CHECK (id = 1), removed xid8)`,
    `INSERT INTO ${feed} (id) VALUES (1) ON CONFLICT DO NOTHING`,
    // In a database restored on another server, transaction numbers start over.
    `UPDATE ${changes} SET xid = '0' WHERE xid >= ${next}`,
    `UPDATE ${feed} SET removed = '0' WHERE removed >= ${next}`,
  ]
}

/** True if a store has a change feed that was written on this server. */
export async function hasFeed(executor: Executor, schema: string): Promise<boolean> {
  const latest = `SELECT xid FROM ${qualified(schema, CHANGES)} ORDER BY xid DESC LIMIT 1`
  const text = `SELECT coalesce(greatest((${latest}), removed) < pg_snapshot_xmax(pg_current_snapshot()), true) FROM ${qualified(schema, FEED)}`
  try {
    const { rows } = await executor.run({ text, values: [] })
    return rows[0]?.[0] === 't'
  } catch (error) {
    if (sqlState((error as Error).cause) === '42P01') return false
    throw error
  }
}
