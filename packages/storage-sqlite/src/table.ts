import {
  type CollectionDeclaration,
  MinionsError,
  type RecordDelete,
  type RecordWrite,
  writeConflict,
} from '@minions/core'
import type { Connection } from './connection.js'
import { sqliteCode } from './errors.js'
import { columnOf, indexedLists, isScalar, listOf, referenceOf, tableOf, textOf } from './names.js'
import { bindable } from './sql/fragment.js'

/** Writes the records of one collection. All statements are prepared once for each connection. */
export class TableWriter {
  readonly #declaration: CollectionDeclaration
  readonly #scalars: readonly number[]
  readonly #lists: readonly number[]
  readonly #insert: string
  readonly #update: string
  readonly #find: string

  constructor(declaration: CollectionDeclaration) {
    this.#declaration = declaration
    this.#scalars = [...declaration.columns.keys()].filter((column) => isScalar(declaration, column))
    this.#lists = indexedLists(declaration)
    const table = tableOf(declaration.name)
    const names = [
      'revision',
      'doc',
      ...this.#scalars.map(columnOf),
      ...[...declaration.references.keys()].map(referenceOf),
    ]
    this.#insert = `INSERT INTO ${table} (key, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`
    this.#update = `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
    this.#find = `SELECT id, revision FROM ${table} WHERE key = ?`
  }

  put(connection: Connection, write: RecordWrite): void {
    try {
      if (write.expect === null) this.#insertRow(connection, write)
      else this.#replaceRow(connection, write)
    } catch (error) {
      throw this.#explain(connection, write, error)
    }
  }

  delete(connection: Connection, { key, expect }: RecordDelete): boolean {
    const [id, revision] = connection.first(this.#find, key) ?? []
    if (expect !== undefined && revision !== expect) throw this.#conflict(key, expect, revision)
    if (typeof id !== 'number') return false
    this.#forget(connection, id)
    connection.run(`DELETE FROM ${tableOf(this.#declaration.name)} WHERE id = ?`, id)
    return true
  }

  #insertRow(connection: Connection, write: RecordWrite): void {
    const { lastInsertRowid } = connection.run(this.#insert, write.key, ...this.#values(write))
    this.#learn(connection, Number(lastInsertRowid), write)
  }

  #replaceRow(connection: Connection, write: RecordWrite): void {
    const [id, revision] = connection.first(this.#find, write.key) ?? []
    if (write.expect !== undefined && revision !== write.expect) throw this.#conflict(write.key, write.expect, revision)
    if (typeof id !== 'number') {
      this.#insertRow(connection, write)
      return
    }
    this.#forget(connection, id)
    connection.run(this.#update, ...this.#values(write), id)
    this.#learn(connection, id, write)
  }

  #values({ revision, record, columns, references }: RecordWrite): (string | number | null)[] {
    const scalars = this.#scalars.map((column) => {
      const value = columns[column] as string | number | boolean | null
      return value === null ? null : bindable(value)
    })
    return [revision, JSON.stringify(record), ...scalars, ...references]
  }

  /** Adds a record to its lists and its text index. */
  #learn(connection: Connection, id: number, write: RecordWrite): void {
    const { name, text } = this.#declaration
    for (const column of this.#lists) {
      for (const element of new Set(write.columns[column] as readonly string[] | null)) {
        connection.run(`INSERT INTO ${listOf(name, column)} (element, record) VALUES (?, ?)`, element, id)
      }
    }
    if (text === null) return
    connection.run(`INSERT INTO ${textOf(name)} (rowid, words) VALUES (?, ?)`, id, write.words.join(' '))
  }

  #forget(connection: Connection, id: number): void {
    const { name, text } = this.#declaration
    for (const column of this.#lists) connection.run(`DELETE FROM ${listOf(name, column)} WHERE record = ?`, id)
    if (text !== null) connection.run(`DELETE FROM ${textOf(name)} WHERE rowid = ?`, id)
  }

  /** Uniqueness is SQLite's to enforce; which rule was broken is in its message. */
  #explain(connection: Connection, { key, expect }: RecordWrite, error: unknown): unknown {
    if (sqliteCode(error) !== 'SQLITE_CONSTRAINT_UNIQUE') return error
    const message = (error as Error).message
    // Of several rules that a row breaks SQLite names any; that it must not exist at all comes first.
    const existing = expect === null ? connection.first(this.#find, key) : undefined
    if (existing) return this.#conflict(key, expect, existing[1])
    const broken = new Set(Array.from(message.matchAll(/column_(\d+)/g), (match) => Number(match[1])))
    const { name, columns, unique } = this.#declaration
    const names = [...broken].map((column) => columns[column]?.name ?? '')
    const rule = unique.find((rule) => rule.length === names.length && rule.every((column) => names.includes(column)))
    return new MinionsError(
      'UNIQUE_VIOLATION',
      `Another record of "${name}" has the same ${names.join(', ')} as "${key}".`,
      { details: { collection: name, key, columns: rule ?? names }, cause: error },
    )
  }

  #conflict(key: string, expect: string | null | undefined, revision: unknown): Error {
    return writeConflict(this.#declaration.name, key, expect, typeof revision === 'string' ? revision : null)
  }
}
