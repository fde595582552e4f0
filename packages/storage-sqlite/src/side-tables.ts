import type { JsonObject } from '@minions/core/json'
import { type ColumnValue, type Path, parsePath, type RecordWrite, valueAt } from '@minions/core/storage'
import type { Connection } from './connection.js'
import type { Table } from './names.js'
import type { TextStatements } from './pending-texts.js'

/** The statements for one side table of a collection, and the place in a record that it indexes. */
interface SideTable {
  readonly path: Path
  readonly insert: string
  readonly remove: string
}

interface ListTable extends SideTable {
  readonly column: number
}

interface TextTable extends SideTable, TextStatements {}

/** The tables beside the main one: a row for each element of an indexed list, and the full-text index. */
export class SideTables {
  readonly #lists: readonly ListTable[]
  readonly #text: TextTable | undefined

  constructor({ declaration, lists, text }: Table) {
    this.#lists = Array.from(lists, ([column, list]) => ({
      column,
      path: parsePath(declaration.columns[column]?.path ?? ''),
      insert: `INSERT INTO ${list} (element, record) VALUES (?, ?)`,
      remove: `DELETE FROM ${list} WHERE record = ?`,
    }))
    this.#text =
      text === undefined
        ? undefined
        : {
            path: parsePath(declaration.text ?? ''),
            insert: `INSERT INTO ${text} (rowid, words) VALUES (?, ?)`,
            replace: `INSERT OR REPLACE INTO ${text} (rowid, words) VALUES (?, ?)`,
            remove: `DELETE FROM ${text} WHERE rowid = ?`,
          }
  }

  add(connection: Connection, id: number, write: RecordWrite): void {
    for (const list of this.#lists) addElements(connection, list, id, write)
    if (this.#text) connection.texts.set(this.#text, id, textOf(write), false)
  }

  /** Replaces what has changed since the record was this document: most changes are of something else. */
  replace(connection: Connection, id: number, doc: string, write: RecordWrite): void {
    if (this.#lists.length === 0 && this.#text === undefined) return
    const before = parsed(doc)
    for (const list of this.#lists) {
      if (before && areSame(valueAt(before, list.path), write.columns[list.column])) continue
      connection.run(list.remove, id)
      addElements(connection, list, id, write)
    }
    if (!this.#text) return
    if (before && valueAt(before, this.#text.path) === valueAt(write.record, this.#text.path)) return
    connection.texts.set(this.#text, id, textOf(write), true)
  }

  remove(connection: Connection, id: number): void {
    for (const { remove } of this.#lists) connection.run(remove, id)
    if (this.#text) connection.texts.set(this.#text, id, undefined, true)
  }
}

function addElements(connection: Connection, { column, insert }: ListTable, id: number, write: RecordWrite): void {
  const elements = write.columns[column] as readonly string[] | null
  for (const element of new Set(elements)) connection.run(insert, element, id)
}

function textOf({ words }: RecordWrite): string {
  return words.join(' ')
}

/** A stored document; undefined if it was damaged, so that everything is replaced. */
function parsed(doc: string): JsonObject | undefined {
  try {
    return JSON.parse(doc) as JsonObject
  } catch {
    return undefined
  }
}

/** True if a list is the same as before; an absent one is null. */
function areSame(before: unknown, now: ColumnValue | undefined): boolean {
  if (!Array.isArray(before) || !Array.isArray(now)) return (before ?? null) === now
  return before.length === now.length && before.every((element, index) => element === now[index])
}
