import type { JsonValue } from '@minions/core/json'
import { parsePath, valueAt } from '@minions/core/storage'
import type Database from 'better-sqlite3'
import { openDatabase } from './driver.js'

const MAX_STATEMENTS = 300

/** One connection with its prepared statements. */
export class Connection {
  readonly database: Database.Database
  readonly #statements = new Map<string, Database.Statement>()

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
    let statement = this.#statements.get(sql)
    if (statement) {
      this.#statements.delete(sql)
    } else {
      statement = this.database.prepare(sql)
      if (statement.reader) statement.columns().length === 1 ? statement.pluck(true) : statement.raw(true)
      const [oldest] = this.#statements.keys()
      if (this.#statements.size >= MAX_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
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

  exec(sql: string): void {
    this.database.exec(sql)
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }
}

/** The value at a path as JSON text: for property names that SQLite's path syntax cannot express. */
function at(doc: string, path: string): string | null {
  const value = valueAt(JSON.parse(doc) as JsonValue, parsePath(path))
  return value === undefined ? null : JSON.stringify(value)
}
