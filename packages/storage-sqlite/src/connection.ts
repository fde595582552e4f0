import type { JsonValue } from '@minions/core/json'
import { type Collection, parsePath, valueAt } from '@minions/core/storage'
import type Database from 'better-sqlite3'
import { openDatabase } from './driver.js'
import { PendingTexts } from './pending-texts.js'

/** Half as many statements stay prepared at least, and this many at most. */
const MAX_STATEMENTS = 300

/** The most frequent statements, by the collection that they read a record of: not looked up by their text each time. */
export type Getters = WeakMap<Collection, Database.Statement>

/** One connection with its prepared statements. */
export class Connection {
  readonly getters: Getters = new WeakMap()
  readonly versionedGetters: Getters = new WeakMap()
  readonly texts = new PendingTexts(this)
  readonly database: Database.Database
  /** Statements used since the others were set aside. Two generations are as good as an exact order, and cost nothing. */
  #recent = new Map<string, Database.Statement>()
  #older = new Map<string, Database.Statement>()

  private constructor(database: Database.Database) {
    this.database = database
    this.database.function('minions_at', { deterministic: true }, (doc, path) => at(String(doc), String(path)))
  }

  static async open(path: string, options: { readonly readonly?: boolean } = {}): Promise<Connection> {
    // Waiting inside the driver would block the process that may hold the lock.
    return new Connection(await openDatabase(path, { timeout: 0, readonly: options.readonly ?? false }))
  }

  /**
   * A prepared statement. One that reads a single column returns its value, others return arrays. The most recently
   * used are cached.
   */
  statement(sql: string): Database.Statement {
    return this.#recent.get(sql) ?? this.#renew(sql)
  }

  run(sql: string, ...parameters: unknown[]): Database.RunResult {
    return this.statement(sql).run(...parameters)
  }

  first(sql: string, ...parameters: unknown[]): unknown[] | undefined {
    return this.statement(sql).get(...parameters) as unknown[] | undefined
  }

  all(sql: string, ...parameters: unknown[]): unknown[][] {
    return this.statement(sql).all(...parameters) as unknown[][]
  }

  commit(): void {
    this.texts.write()
    this.run('COMMIT')
  }

  /** Some failures have rolled back already. */
  rollback(): void {
    this.texts.clear()
    if (this.database.inTransaction) this.run('ROLLBACK')
  }

  exec(sql: string): void {
    this.database.exec(sql)
  }

  close(): void {
    this.#recent.clear()
    this.#older.clear()
    this.database.close()
  }

  #renew(sql: string): Database.Statement {
    const statement = this.#older.get(sql) ?? this.#prepare(sql)
    if (this.#recent.size >= MAX_STATEMENTS / 2) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(sql, statement)
    return statement
  }

  #prepare(sql: string): Database.Statement {
    const statement = this.database.prepare(sql)
    if (!statement.reader) return statement
    return statement.columns().length === 1 ? statement.pluck(true) : statement.raw(true)
  }
}

/** The value at a path as JSON text: for property names that SQLite's path syntax cannot express. */
function at(doc: string, path: string): string | null {
  const value = valueAt(JSON.parse(doc) as JsonValue, parsePath(path))
  return value === undefined ? null : JSON.stringify(value)
}
