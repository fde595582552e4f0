import {
  type ChangeEntry,
  type ChangeNotes,
  type ChangeRow,
  type ChangeRows,
  MOST_REMOVED_AT_ONCE,
  type Retention,
} from '@minions/core/storage'
import type { Connection } from './connection.js'
import { CHANGES } from './names.js'

const COLUMNS = 'number, collection, at, entries'

/** The table of the change feed: numbering continues from the newest row, which is therefore never removed. */
export const CREATE_CHANGES = `CREATE TABLE IF NOT EXISTS ${CHANGES} (number INTEGER PRIMARY KEY, collection TEXT NOT NULL, at INTEGER NOT NULL, entries TEXT NOT NULL)`

/** True if a file has a change feed; files of earlier versions get one when they are opened. */
export function hasChanges(connection: Connection): boolean {
  return connection.first('SELECT 1, 1 FROM sqlite_schema WHERE name = ?', CHANGES) !== undefined
}

/** Writes the changes of a transaction, inside it; returns their number. */
export function writeChanges(connection: Connection, notes: ChangeNotes): number {
  const at = Date.now()
  let written = 0
  for (const { collection, entries } of notes.rows()) {
    const text = JSON.stringify(entries)
    connection.run(
      `INSERT INTO ${CHANGES} (${COLUMNS}) VALUES (coalesce((SELECT max(number) FROM ${CHANGES}), 0) + ?, ?, ?, ?)`,
      entries.length,
      collection,
      at,
      text,
    )
    written += entries.length
  }
  return written
}

/** Removes expired changes, occasionally and a few at a time. Runs inside a transaction that writes. */
export function removeChanges(connection: Connection, retention: Retention, written: number): void {
  const now = Date.now()
  if (written === 0 || !retention.isDue(written, now)) return
  const rows = connection.all(`SELECT number, at FROM ${CHANGES} ORDER BY number LIMIT ${MOST_REMOVED_AT_ONCE}`)
  const oldest = rows.map(([number, at]) => ({ number: number as number, at: at as number }))
  const [newest] = connection.first(`SELECT number, at FROM ${CHANGES} ORDER BY number DESC LIMIT 1`) ?? []
  const count = retention.removable(oldest, newest as number, now)
  const last = oldest[count - 1]
  if (last) connection.run(`DELETE FROM ${CHANGES} WHERE number <= ?`, last.number)
  if (count === MOST_REMOVED_AT_ONCE) retention.again()
}

/** The rows of the feed, read on one connection. */
export class SqliteChangeRows implements ChangeRows {
  readonly base = 0
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  newest(): ChangeRow | undefined {
    const row = this.#connection.first(`SELECT ${COLUMNS} FROM ${CHANGES} ORDER BY number DESC LIMIT 1`)
    return row && toRow(row)
  }

  *from(number: number): Generator<ChangeRow> {
    const statement = this.#connection.statement(`SELECT ${COLUMNS} FROM ${CHANGES} WHERE number >= ? ORDER BY number`)
    for (const row of statement.iterate(number)) yield toRow(row as unknown[])
  }
}

function toRow([number, collection, at, entries]: readonly unknown[]): ChangeRow {
  return {
    number: number as number,
    collection: collection as string,
    at: at as number,
    entries: JSON.parse(entries as string) as ChangeEntry[],
  }
}
