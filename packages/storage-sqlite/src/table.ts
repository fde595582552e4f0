import {
  type CollectionDeclaration,
  keptColumns,
  type RecordDelete,
  type RecordWrite,
  type RemovedColumns,
  writeConflict,
} from '@minions/core/storage'
import type { Connection } from './connection.js'
import { sqliteCode } from './errors.js'
import { type Table, tableOf } from './names.js'
import { bindable } from './sql/fragment.js'
import { brokenUnique, missingCollection } from './violations.js'

/** The last state of a removed record. */
export interface RemovedRecord {
  readonly revision: string
  readonly columns: RemovedColumns
}

/** Writes the records of one collection. All statements are prepared once for each connection. */
export class TableWriter {
  readonly #table: Table
  readonly #scalars: readonly number[]
  readonly #insert: string
  readonly #update: string
  readonly #find: string
  readonly #kept: readonly number[]
  readonly #findRemoved: string

  constructor(declaration: CollectionDeclaration) {
    const table = tableOf(declaration)
    this.#table = table
    this.#scalars = table.scalars.map(([position]) => position)
    const columns = table.scalars.map(([, column]) => column)
    const names = [table.revision, table.doc, ...columns, ...table.references]
    const found = `FROM ${table.sql} WHERE ${table.key} = ?`
    this.#insert = `INSERT INTO ${table.sql} (${table.key}, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`
    this.#update = `UPDATE ${table.sql} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${table.row} = ?`
    this.#find = `SELECT ${table.row}, ${table.revision} ${found}`
    this.#kept = keptColumns(declaration)
    const kept = this.#kept.map((column) => table.columns[column])
    this.#findRemoved = `SELECT ${[table.row, table.revision, ...kept].join(', ')} ${found}`
  }

  /** Writes a record; true if it did not exist before. */
  put(connection: Connection, write: RecordWrite): boolean {
    try {
      if (write.expect !== null) return this.#replaceRow(connection, write)
      this.#insertRow(connection, write)
      return true
    } catch (error) {
      throw this.#explain(connection, write, error)
    }
  }

  /** The revision of a record; null if it does not exist. */
  revisionOf(connection: Connection, key: string): string | null {
    const [, revision = null] = connection.first(this.#find, key) ?? []
    return revision as string | null
  }

  /** Removes a record; undefined if it did not exist. */
  delete(connection: Connection, { key, expect }: RecordDelete): RemovedRecord | undefined {
    const [id, revision, ...values] = connection.first(this.#findRemoved, key) ?? []
    if (expect !== undefined && revision !== expect) throw this.#conflict(key, expect, revision)
    if (typeof id !== 'number') return undefined
    this.#forget(connection, id)
    connection.run(`DELETE FROM ${this.#table.sql} WHERE ${this.#table.row} = ?`, id)
    return { revision: revision as string, columns: this.#removedColumns(values) }
  }

  #insertRow(connection: Connection, write: RecordWrite): void {
    const { lastInsertRowid } = connection.run(this.#insert, write.key, ...this.#values(write))
    this.#learn(connection, Number(lastInsertRowid), write)
  }

  #replaceRow(connection: Connection, write: RecordWrite): boolean {
    const [id, revision] = connection.first(this.#find, write.key) ?? []
    if (write.expect !== undefined && revision !== write.expect) throw this.#conflict(write.key, write.expect, revision)
    if (typeof id !== 'number') {
      this.#insertRow(connection, write)
      return true
    }
    // Checks that may fail come first: then nothing has changed.
    connection.run(this.#update, ...this.#values(write), id)
    this.#forget(connection, id)
    this.#learn(connection, id, write)
    return false
  }

  /** SQLite has no type of its own for booleans. */
  #removedColumns(values: readonly unknown[]): RemovedColumns {
    const { columns } = this.#table.declaration
    const kept = this.#kept.map((column, index) => {
      const value = values[index] as string | number
      return [columns[column]?.name, columns[column]?.type === 'boolean' ? value === 1 : value]
    })
    return Object.fromEntries(kept)
  }

  #values({ revision, record, columns, references }: RecordWrite): (string | number | null)[] {
    const scalars = this.#scalars.map((column) => {
      const value = columns[column] as string | number | boolean | null
      return value === null ? null : bindable(value)
    })
    return [revision, JSON.stringify(record), ...scalars, ...references]
  }

  /** Adds a record to its list tables and its text index. */
  #learn(connection: Connection, id: number, write: RecordWrite): void {
    const { lists, text } = this.#table
    for (const [column, list] of lists) {
      for (const element of new Set(write.columns[column] as readonly string[] | null)) {
        connection.run(`INSERT INTO ${list} (element, record) VALUES (?, ?)`, element, id)
      }
    }
    if (text === undefined) return
    connection.run(`INSERT INTO ${text} (rowid, words) VALUES (?, ?)`, id, write.words.join(' '))
  }

  #forget(connection: Connection, id: number): void {
    const { lists, text } = this.#table
    for (const list of lists.values()) connection.run(`DELETE FROM ${list} WHERE record = ?`, id)
    if (text !== undefined) connection.run(`DELETE FROM ${text} WHERE rowid = ?`, id)
  }

  #explain(connection: Connection, write: RecordWrite, error: unknown): unknown {
    const { key, expect } = write
    const code = sqliteCode(error)
    if (code === 'SQLITE_CONSTRAINT_CHECK') return missingCollection(this.#table, write, error as Error)
    if (code !== 'SQLITE_CONSTRAINT_UNIQUE') return error
    // If a row violates several constraints, SQLite reports any of them; that it must not exist takes precedence.
    const existing = expect === null ? connection.first(this.#find, key) : undefined
    return existing ? this.#conflict(key, expect, existing[1]) : brokenUnique(this.#table, key, error as Error)
  }

  #conflict(key: string, expect: string | null | undefined, revision: unknown): Error {
    return writeConflict(this.#table.declaration.name, key, expect, typeof revision === 'string' ? revision : null)
  }
}

const known = new WeakMap<CollectionDeclaration, TableWriter>()

export function writerOf(declaration: CollectionDeclaration): TableWriter {
  let writer = known.get(declaration)
  if (writer === undefined) {
    writer = new TableWriter(declaration)
    known.set(declaration, writer)
  }
  return writer
}
