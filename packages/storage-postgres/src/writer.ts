import { type RecordDelete, type RecordWrite, type RemovedColumns, writeConflict } from '@minions/core/storage'
import { runs } from './batch.js'
import type { Executor, Result } from './executor.js'
import type { Table } from './names.js'
import type { Rows } from './rows.js'
import { explainWrite } from './violations.js'

/** A record in transfer format, and its source. */
interface Outgoing {
  readonly key: string
  readonly write: RecordWrite
  readonly json: string
}

/** The last state of a removed record. */
export interface RemovedRecord {
  readonly revision: string
  readonly columns: RemovedColumns
}

/**
 * Writes the records of one collection: any number of them in a few statements, each with one JSON string. Expectations
 * are checked by the statement itself, against the snapshot of the transaction; if another transaction has meanwhile
 * changed one of the records, PostgreSQL makes this one collide.
 */
export class TableWriter {
  readonly #table: Table
  readonly #rows: Rows
  readonly #insert: string
  readonly #replace: string
  readonly #delete: string

  constructor(table: Table, rows: Rows) {
    this.#table = table
    this.#rows = rows
    this.#insert = `${rows.insert(rows.source('$1'))} ON CONFLICT (${table.key}) DO NOTHING`
    this.#replace = replaceStatement(table, rows)
    this.#delete = `DELETE FROM ${table.sql} c WHERE ${table.key} = ANY($1::text[]) AND coalesce(${table.revision} = $2::jsonb ->> ${table.key}, true) RETURNING ${table.key}, ${table.revision}, ${rows.kept}`
  }

  /** Writes records; returns the keys of those that did not exist. */
  async put(executor: Executor, writes: readonly RecordWrite[]): Promise<ReadonlySet<string>> {
    const outgoing = writes.map((write) => ({ key: write.key, write, json: this.#rows.toJson(write) }))
    const isNew = ({ write }: Outgoing) => write.expect === null
    const created = new Set<string>()
    for (const run of runs(outgoing, isNew, ({ json }) => json.length)) {
      for (const key of await this.#putRun(executor, run)) created.add(key)
    }
    return created
  }

  /** Removes records; returns their last states, by key. */
  async delete(executor: Executor, deletes: readonly RecordDelete[]): Promise<Map<string, RemovedRecord>> {
    const all = new Map<string, RemovedRecord>()
    const lengthOf = ({ key }: RecordDelete) => key.length
    for (const run of runs(deletes, () => true, lengthOf)) {
      const expected = run.filter(({ expect }) => expect !== undefined).map(({ key, expect }) => [key, expect])
      const values = [run.map(({ key }) => key), JSON.stringify(Object.fromEntries(expected))]
      const { rows } = await executor.run({ text: this.#delete, values, prepared: true })
      const removed = new Map(rows.map((row) => toRemoved(row as readonly [string, string, string])))
      const failed = run.find(({ key, expect }) => expect !== undefined && !removed.has(key))
      if (failed) throw this.#conflict(failed, await this.revisions(executor, [failed.key]))
      for (const [key, record] of removed) all.set(key, record)
    }
    return all
  }

  async #putRun(executor: Executor, run: readonly Outgoing[]): Promise<string[]> {
    const isInsert = run[0]?.write.expect === null
    const text = isInsert ? this.#insert : this.#replace
    const values = [`[${run.map(({ json }) => json).join(',')}]`]
    let result: Result
    try {
      result = await executor.run({ text, values, prepared: true })
    } catch (error) {
      const writes = run.map(({ write }) => write)
      throw explainWrite(error, this.#table, writes) ?? error
    }
    if (result.count < run.length) throw await this.#firstConflict(executor, run)
    if (isInsert) return run.map(({ key }) => key)
    return result.rows.flatMap(([key, isNew]) => (isNew === 't' && key !== null && key !== undefined ? [key] : []))
  }

  /** The first record that a statement did not write. */
  async #firstConflict(executor: Executor, run: readonly Outgoing[]): Promise<Error> {
    const keys = run.map(({ key }) => key)
    const revisions = await this.revisions(executor, keys)
    const failed = run.find(({ key, write }) => revisions.get(key) !== write.revision) as Outgoing
    return this.#conflict(failed.write, revisions)
  }

  #conflict({ key, expect }: RecordWrite | RecordDelete, revisions: ReadonlyMap<string, string>): Error {
    return writeConflict(this.#table.declaration.name, key, expect, revisions.get(key) ?? null)
  }

  async revisions(executor: Executor, keys: readonly string[]): Promise<Map<string, string>> {
    const { key, revision, sql } = this.#table
    const text = `SELECT ${key}, ${revision} FROM ${sql} WHERE ${key} = ANY($1::text[])`
    const { rows } = await executor.run({ text, values: [keys] })
    return new Map(rows as [string, string][])
  }
}

function toRemoved([key, revision, columns]: readonly [string, string, string]): [string, RemovedRecord] {
  return [key, { revision, columns: JSON.parse(columns) as RemovedColumns }]
}

/**
 * Updates the records that the transaction sees, inserts the others, and returns the key of each with whether it is
 * new. Inserting all and updating on a conflict would restore a record that a batch has removed since the snapshot;
 * updating it makes the transaction collide.
 */
function replaceStatement({ sql, key, revision }: Table, rows: Rows): string {
  const { names, values, excluded } = rows
  const assigned = names.map((name, index) => `${name} = ${values[index]}`).join(', ')
  const updated = `UPDATE ${sql} c SET ${assigned} FROM d WHERE c.${key} = d.key AND (d.expect IS NULL OR c.${revision} = d.expect) RETURNING c.${key} AS key`
  const isNew = 'd.expect IS NULL AND NOT EXISTS (SELECT FROM u WHERE u.key = d.key)'
  const inserted = `INSERT INTO ${sql} (${key}, ${names.join(', ')}) SELECT d.key, ${values.join(', ')} FROM d WHERE ${isNew} ON CONFLICT (${key}) DO UPDATE SET ${excluded} RETURNING ${key} AS key, xmax = 0 AS is_new`
  return `WITH d AS MATERIALIZED (SELECT * FROM ${rows.source('$1')}), u AS (${updated}), i AS (${inserted}) SELECT key, false FROM u UNION ALL SELECT key, is_new FROM i`
}
