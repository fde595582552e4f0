import type { ChangesRequest, StorageChangePage } from '../changes/feed.js'
import { type NotedChanges, removedColumns } from '../changes/notes.js'
import { MOST_REMOVED_AT_ONCE, type Retention } from '../changes/retention.js'
import { type ChangeEntry, type ChangeRow, type ChangeRows, readChanges } from '../changes/rows.js'
import type { Changes } from './changes.js'
import type { Table } from './table.js'

export class MemoryFeed implements ChangeRows {
  readonly base = 0
  readonly #retention: Retention
  #rows: ChangeRow[] = []
  /** Rows before this one were removed; the list itself is truncated occasionally. */
  #start = 0

  constructor(retention: Retention) {
    this.#retention = retention
  }

  append(changes: readonly NotedChanges[]): void {
    const at = Date.now()
    let written = 0
    for (const { collection, entries } of changes) {
      if (entries.length === 0) continue
      written += entries.length
      this.#rows.push({ number: (this.newest()?.number ?? 0) + entries.length, collection, at, entries })
    }
    if (written > 0 && this.#retention.isDue(written, at)) this.#remove(at)
  }

  read(request: ChangesRequest): StorageChangePage {
    return readChanges(this, request)
  }

  newest(): ChangeRow | undefined {
    return this.#rows.at(-1)
  }

  *from(number: number): Generator<ChangeRow> {
    let low = this.#start
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#rows[middle] as ChangeRow).number < number) low = middle + 1
      else high = middle
    }
    for (let index = low; index < this.#rows.length; index++) yield this.#rows[index] as ChangeRow
  }

  #remove(now: number): void {
    const oldest = this.#rows.slice(this.#start, this.#start + MOST_REMOVED_AT_ONCE)
    const count = this.#retention.removable(oldest, this.newest()?.number ?? 0, now)
    this.#start += count
    if (count === MOST_REMOVED_AT_ONCE) this.#retention.again()
    if (this.#start * 2 < this.#rows.length) return
    this.#rows = this.#rows.slice(this.#start)
    this.#start = 0
  }
}

/** Changes that a transaction is about to make to a table. A record created and removed again has not changed. */
export function changesIn({ table, rows }: Changes): NotedChanges {
  const { declaration } = table
  const entries: ChangeEntry[] = []
  for (const [key, row] of rows) {
    const old = row ?? table.rows.get(key)
    if (row) entries.push([key, row.revision])
    else if (old) entries.push([key, old.revision, removedColumns(declaration, old.columns)])
  }
  return { collection: declaration.name, entries }
}

/** Changes made by an upgrade of a table: every record has a new revision, and a key may have disappeared. */
export function changesOfUpgrade(before: Table, after: Table): NotedChanges {
  const entries: ChangeEntry[] = []
  for (const { key, revision } of after.rows.values()) entries.push([key, revision])
  for (const { key, revision, columns } of before.rows.values()) {
    if (!after.rows.has(key)) entries.push([key, revision, removedColumns(before.declaration, columns)])
  }
  return { collection: after.declaration.name, entries }
}
