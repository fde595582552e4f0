import { getOrInsert } from '@minions/core/json'
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
import { SideTables } from './side-tables.js'
import { bindable } from './sql/fragment.js'
import { brokenUnique, missingCollection } from './violations.js'

/** The last state of a removed record. */
export interface RemovedRecord {
  readonly revision: string
  readonly columns: RemovedColumns
}

type Values = (string | number | null)[]

/** The columns of a row before those that a declaration names, as `#find` reads them and as a write sets them. */
const FOUND_BEFORE = 3
const SET_BEFORE = 2

/** Writes the records of one collection. The text of every statement is built once. */
export class TableWriter {
  readonly #table: Table
  readonly #scalars: readonly number[]
  /** The columns that a declaration names: those of scalars, then those of references. */
  readonly #columns: readonly string[]
  readonly #insert: string
  readonly #find: string
  readonly #findRevision: string
  readonly #kept: readonly number[]
  readonly #findRemoved: string
  readonly #remove: string
  readonly #side: SideTables
  /** By the positions of the columns that change. */
  readonly #updates = new Map<string, string>()

  constructor(declaration: CollectionDeclaration) {
    const table = tableOf(declaration)
    this.#table = table
    this.#scalars = table.scalars.map(([position]) => position)
    this.#columns = [...table.scalars.map(([, column]) => column), ...table.references]
    const { key, row, revision, doc } = table
    const names = [revision, doc, ...this.#columns, key]
    const found = `FROM ${table.sql} WHERE ${key} = ?`
    this.#insert = `INSERT INTO ${table.sql} (${names.join(', ')}) VALUES (?${', ?'.repeat(names.length - 1)})`
    this.#find = `SELECT ${[row, revision, doc, ...this.#columns].join(', ')} ${found}`
    this.#findRevision = `SELECT ${row}, ${revision} ${found}`
    this.#kept = keptColumns(declaration)
    const kept = this.#kept.map((column) => table.columns[column])
    this.#findRemoved = `SELECT ${[row, revision, ...kept].join(', ')} ${found}`
    this.#remove = `DELETE FROM ${table.sql} WHERE ${row} = ?`
    this.#side = new SideTables(table)
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
    const [, revision = null] = connection.first(this.#findRevision, key) ?? []
    return revision as string | null
  }

  /** Removes a record; undefined if it did not exist. */
  delete(connection: Connection, { key, expect }: RecordDelete): RemovedRecord | undefined {
    const [id, revision, ...values] = connection.first(this.#findRemoved, key) ?? []
    if (expect !== undefined && revision !== expect) throw this.#conflict(key, expect, revision)
    if (typeof id !== 'number') return undefined
    this.#side.remove(connection, id)
    connection.run(this.#remove, id)
    return { revision: revision as string, columns: this.#removedColumns(values) }
  }

  #insertRow(connection: Connection, write: RecordWrite): void {
    const values = this.#values(write)
    values.push(write.key)
    const id = Number(connection.run(this.#insert, ...values).lastInsertRowid)
    this.#side.add(connection, id, write)
  }

  #replaceRow(connection: Connection, write: RecordWrite): boolean {
    const old = connection.first(this.#find, write.key)
    if (write.expect !== undefined && old?.[1] !== write.expect) {
      throw this.#conflict(write.key, write.expect, old?.[1])
    }
    if (old === undefined) {
      this.#insertRow(connection, write)
      return true
    }
    // Checks that may fail come first: then nothing has changed.
    this.#updateRow(connection, old, write)
    this.#side.replace(connection, old[0] as number, old[2] as string, write)
    return false
  }

  /** Sets only what has changed: SQLite rewrites every index of a column that is set, whatever its value. */
  #updateRow(connection: Connection, old: readonly unknown[], write: RecordWrite): void {
    const values = this.#values(write)
    const changed: number[] = []
    const parameters: Values = values.slice(0, SET_BEFORE)
    for (let column = 0; column < this.#columns.length; column++) {
      const value = values[SET_BEFORE + column] as Values[number]
      if (value === old[FOUND_BEFORE + column]) continue
      changed.push(column)
      parameters.push(value)
    }
    parameters.push(old[0] as number)
    connection.run(this.#updateOf(changed), ...parameters)
  }

  #updateOf(changed: readonly number[]): string {
    const known = this.#updates.get(changed.join())
    if (known !== undefined) return known
    const { sql, revision, doc, row } = this.#table
    const names = [revision, doc, ...changed.map((column) => this.#columns[column])]
    const update = `UPDATE ${sql} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${row} = ?`
    this.#updates.set(changed.join(), update)
    return update
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

  #values({ revision, record, columns, references }: RecordWrite): Values {
    const values: Values = [revision, JSON.stringify(record)]
    for (const column of this.#scalars) {
      const value = columns[column] as string | number | boolean | null
      values.push(value === null ? null : bindable(value))
    }
    for (const reference of references) values.push(reference)
    return values
  }

  #explain(connection: Connection, write: RecordWrite, error: unknown): unknown {
    const { key, expect } = write
    const code = sqliteCode(error)
    if (code === 'SQLITE_CONSTRAINT_CHECK') return missingCollection(this.#table, write, error as Error)
    if (code !== 'SQLITE_CONSTRAINT_UNIQUE') return error
    // If a row violates several constraints, SQLite reports any of them; that it must not exist takes precedence.
    const existing = expect === null ? connection.first(this.#findRevision, key) : undefined
    return existing ? this.#conflict(key, expect, existing[1]) : brokenUnique(this.#table, key, error as Error)
  }

  #conflict(key: string, expect: string | null | undefined, revision: unknown): Error {
    return writeConflict(this.#table.declaration.name, key, expect, typeof revision === 'string' ? revision : null)
  }
}

const known = new WeakMap<CollectionDeclaration, TableWriter>()

export function writerOf(declaration: CollectionDeclaration): TableWriter {
  return getOrInsert(known, declaration, () => new TableWriter(declaration))
}
