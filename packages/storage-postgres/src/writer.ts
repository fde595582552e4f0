import { type RecordDelete, type RecordWrite, writeConflict } from '@minions/core'
import { runs } from './batch.js'
import type { Executor } from './executor.js'
import { columnOf, referenceOf, type Table } from './names.js'
import { explainWrite } from './violations.js'

/** What a text index can hold of one record, in bytes. */
const MAX_WORDS_BYTES = 1_000_000

/** A record as it is sent, and what it was made of. */
interface Outgoing {
  readonly key: string
  readonly write: RecordWrite
  readonly json: string
}

/**
 * Writes the records of one collection: any number of them in a few statements, to each of which they go as one JSON
 * text. Expectations are checked by the statement itself, against the snapshot of the transaction; if another
 * transaction has meanwhile changed one of the records, PostgreSQL makes this one collide.
 */
export class TableWriter {
  readonly #table: Table
  readonly #scalars: readonly number[]
  readonly #insert: string
  readonly #replace: string
  readonly #delete: string

  constructor(table: Table) {
    this.#table = table
    const { columns, references } = table.declaration
    this.#scalars = [...columns.keys()].filter((column) => columns[column]?.type !== 'strings')
    const types = { string: 'text', number: 'float8', boolean: 'boolean', strings: '' }
    const extracted = [
      ...this.#scalars.map((column) => [columnOf(column), types[columns[column]?.type ?? 'string']]),
      ...[...references.keys()].map((index) => [referenceOf(index), 'text']),
    ]
    const names = ['revision', 'doc', ...extracted.map(([name]) => name)]
    const values = names.map((name) => `d.${name}`)
    if (table.words) {
      names.push(table.words)
      values.push("array_to_tsvector(string_to_array(d.words, ' '))")
    }
    const shape = ['key text', 'revision text', 'expect text', 'doc jsonb', 'words text']
    const source = `jsonb_to_recordset($1::jsonb) AS d(${[...shape, ...extracted.map((pair) => pair.join(' '))].join(', ')})`
    const insert = `INSERT INTO ${table.sql} (key, ${names.join(', ')}) SELECT d.key, ${values.join(', ')} FROM ${source}`
    // Not EXISTS, which PostgreSQL may answer by reading, and so locking, the whole table.
    const expected = `d.expect IS NULL OR d.expect = (SELECT o.revision FROM ${table.sql} o WHERE o.key = d.key)`
    this.#insert = `${insert} ON CONFLICT (key) DO NOTHING`
    this.#replace = `${insert} WHERE ${expected} ON CONFLICT (key) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`
    this.#delete = `DELETE FROM ${table.sql} WHERE key = ANY($1::text[]) AND coalesce(revision = $2::jsonb ->> key, true) RETURNING key`
  }

  async put(executor: Executor, writes: readonly RecordWrite[]): Promise<void> {
    const outgoing = writes.map((write) => ({ key: write.key, write, json: this.#toJson(write) }))
    const isNew = ({ write }: Outgoing) => write.expect === null
    for (const run of runs(outgoing, isNew, ({ json }) => json.length)) await this.#putRun(executor, run)
  }

  async delete(executor: Executor, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    const results: boolean[] = []
    const all = () => true
    for (const run of runs(deletes, all, ({ key }) => key.length)) {
      const expected = run.filter(({ expect }) => expect !== undefined).map(({ key, expect }) => [key, expect])
      const values = [run.map(({ key }) => key), JSON.stringify(Object.fromEntries(expected))]
      const { rows } = await executor.run({ text: this.#delete, values, prepared: true })
      const removed = new Set(rows.map(([key]) => key))
      const failed = run.find(({ key, expect }) => expect !== undefined && !removed.has(key))
      if (failed) throw await this.#conflict(executor, failed.key, failed.expect)
      results.push(...run.map(({ key }) => removed.has(key)))
    }
    return results
  }

  async #putRun(executor: Executor, run: readonly Outgoing[]): Promise<void> {
    const text = run[0]?.write.expect === null ? this.#insert : this.#replace
    const values = [`[${run.map(({ json }) => json).join(',')}]`]
    let written: number
    try {
      written = (await executor.run({ text, values, prepared: true })).count
    } catch (error) {
      const writes = run.map(({ write }) => write)
      throw explainWrite(error, this.#table, writes) ?? error
    }
    if (written < run.length) throw await this.#firstConflict(executor, run)
  }

  #toJson({ key, revision, expect, record, columns, references, words }: RecordWrite): string {
    const row: Record<string, unknown> = { key, revision, doc: record }
    if (expect !== undefined && expect !== null) row.expect = expect
    if (this.#table.words) row.words = fitting(words).join(' ')
    for (const column of this.#scalars) row[columnOf(column)] = columns[column]
    for (const [index, target] of references.entries()) row[referenceOf(index)] = target
    return JSON.stringify(row)
  }

  /** The first record that a statement did not write. */
  async #firstConflict(executor: Executor, run: readonly Outgoing[]): Promise<Error> {
    const revisions = await this.#revisions(
      executor,
      run.map(({ key }) => key),
    )
    const failed = run.find(({ key, write }) => revisions.get(key) !== write.revision) as Outgoing
    return writeConflict(
      this.#table.declaration.name,
      failed.key,
      failed.write.expect,
      revisions.get(failed.key) ?? null,
    )
  }

  async #conflict(executor: Executor, key: string, expect: string | undefined): Promise<Error> {
    const revisions = await this.#revisions(executor, [key])
    return writeConflict(this.#table.declaration.name, key, expect, revisions.get(key) ?? null)
  }

  async #revisions(executor: Executor, keys: readonly string[]): Promise<Map<string, string>> {
    const text = `SELECT key, revision FROM ${this.#table.sql} WHERE key = ANY($1::text[])`
    const { rows } = await executor.run({ text, values: [keys] })
    return new Map(rows as [string, string][])
  }
}

/** PostgreSQL holds about a megabyte of words a record; the few texts that have more are found by the first of them. */
function fitting(words: readonly string[]): readonly string[] {
  let length = 0
  for (const word of words) length += word.length
  if (length * 3 <= MAX_WORDS_BYTES) return words
  let bytes = 0
  const end = words.findIndex((word) => {
    bytes += Buffer.byteLength(word)
    return bytes > MAX_WORDS_BYTES
  })
  return end < 0 ? words : words.slice(0, end)
}
