import {
  type ChangeEntry,
  type ChangeNotes,
  type ChangeRow,
  type ChangeRows,
  MOST_IN_A_ROW,
  MOST_REMOVED_AT_ONCE,
  type NotedChanges,
  type Retention,
} from '@minions/core/storage'
import type { Connection } from './connection.js'
import { CHANGES } from './names.js'

const COLUMNS = 'number, collection, at, entries'

/** The version of the data: the number of the newest change, as every commit adds one. */
export const VERSION = `SELECT coalesce(max(number), 0) FROM ${CHANGES}`

const INSERT = `INSERT INTO ${CHANGES} (${COLUMNS}) VALUES ((${VERSION}) + ?, ?, ?, ?)`
const OLDEST = `SELECT number, at FROM ${CHANGES} ORDER BY number LIMIT ?`
const NEWEST = `SELECT number, at FROM ${CHANGES} ORDER BY number DESC LIMIT 1`
const REMOVE = `DELETE FROM ${CHANGES} WHERE number <= ?`

/** The table of the change feed: numbering continues from the newest row, which is therefore never removed. */
export const CREATE_CHANGES = `CREATE TABLE IF NOT EXISTS ${CHANGES} (number INTEGER PRIMARY KEY, collection TEXT NOT NULL, at INTEGER NOT NULL, entries TEXT NOT NULL)`

/** True if a file has a change feed; files of earlier versions get one when they are opened. */
export function hasChanges(connection: Connection): boolean {
  return connection.first('SELECT 1, 1 FROM sqlite_schema WHERE name = ?', CHANGES) !== undefined
}

/** Changes of transactions that share a commit, in the order of the transactions, in as few rows as that takes. */
export class GroupChanges {
  readonly #rows: { readonly collection: string; entries: ChangeEntry[] }[] = []

  add(changes: readonly NotedChanges[]): void {
    for (const { collection, entries } of changes) {
      const last = this.#rows.at(-1)
      if (last?.collection === collection && last.entries.length + entries.length <= MOST_IN_A_ROW) {
        for (const entry of entries) last.entries.push(entry)
      } else this.#rows.push({ collection, entries: [...entries] })
    }
  }

  /** Writes the changes, inside the transaction; returns their number. */
  write(connection: Connection): number {
    return writeRows(connection, this.#rows)
  }

  clear(): void {
    this.#rows.length = 0
  }
}

/** Writes the changes of a transaction, inside it. */
export function writeChanges(connection: Connection, notes: ChangeNotes): void {
  writeRows(connection, notes.rows())
}

function writeRows(connection: Connection, rows: readonly NotedChanges[]): number {
  const at = Date.now()
  let written = 0
  for (const { collection, entries } of rows) {
    connection.run(INSERT, entries.length, collection, at, JSON.stringify(entries))
    written += entries.length
  }
  return written
}

/** Removes expired changes, occasionally and a few at a time. Runs inside a transaction that writes. */
export function removeChanges(connection: Connection, retention: Retention, written: number): void {
  const now = Date.now()
  if (written === 0 || !retention.isDue(written, now)) return
  const [newest] = connection.first(NEWEST) as [number: number]
  const removable = (most: number): [count: number, last: number | undefined] => {
    const rows = connection.all(OLDEST, most) as [number: number, at: number][]
    const count = retention.removable(
      rows.map(([number, at]) => ({ number, at })),
      newest,
      now,
    )
    return [count, rows[count - 1]?.[0]]
  }
  // Nearly always, not even the oldest one is removable.
  if (removable(1)[0] === 0) return
  const [count, last] = removable(MOST_REMOVED_AT_ONCE)
  if (last !== undefined) connection.run(REMOVE, last)
  if (count === MOST_REMOVED_AT_ONCE) retention.again()
}

/** The rows of the feed, read on one connection. */
export function changeRows(connection: Connection): ChangeRows {
  return {
    base: 0,
    newest() {
      const row = connection.first(`SELECT ${COLUMNS} FROM ${CHANGES} ORDER BY number DESC LIMIT 1`)
      return row && toRow(row)
    },
    *from(number) {
      const statement = connection.statement(`SELECT ${COLUMNS} FROM ${CHANGES} WHERE number >= ? ORDER BY number`)
      for (const row of statement.iterate(number)) yield toRow(row as unknown[])
    },
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
