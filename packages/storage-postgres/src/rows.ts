import { keptColumns, type RecordWrite } from '@minions/core/storage'
import { escapeLiteral } from 'pg'
import type { Table } from './names.js'

/** What a text index can hold of one record, in bytes. */
const MAX_WORDS_BYTES = 1_000_000

/** Names of values on their way to the server, which no declared name can clash with. */
const sentColumn = (position: number) => `c${position}`
const sentReference = (position: number) => `r${position}`

const TYPES = { string: 'text', number: 'float8', boolean: 'boolean', strings: '' } as const

/** How records of a collection are sent: any number of them as one JSON text, which the statement takes apart. */
export class Rows {
  /** Columns that are written, the key left out. */
  readonly names: readonly string[]
  /** Their values, as SQL about a row `d` of the source. */
  readonly values: readonly string[]
  /** What the change feed keeps of a removed record, as SQL about a row `c` for one JSON object. */
  readonly kept: string
  readonly #table: Table
  readonly #scalars: readonly number[]
  readonly #shape: string

  constructor(table: Table) {
    this.#table = table
    const { columns, references } = table.declaration
    this.#scalars = [...columns.keys()].filter((column) => columns[column]?.type !== 'strings')
    const extracted = [
      ...this.#scalars.map((column) => [sentColumn(column), TYPES[columns[column]?.type ?? 'string']]),
      ...[...references.keys()].map((index) => [sentReference(index), 'text']),
    ]
    const scalars = this.#scalars.map((column) => table.columns[column] ?? '')
    const names = [table.revision, table.doc, ...scalars, ...table.references]
    const values = ['revision', 'doc', ...extracted.map(([name]) => name)].map((name) => `d.${name}`)
    if (table.words) {
      names.push(table.words)
      values.push("array_to_tsvector(string_to_array(d.words, ' '))")
    }
    this.names = names
    this.values = values
    const kept = keptColumns(table.declaration).map(
      (column) => `${escapeLiteral(columns[column]?.name ?? '')}, c.${table.columns[column]}`,
    )
    this.kept = `json_build_object(${kept.join(', ')})`
    const shape = ['key text', 'revision text', 'expect text', 'doc jsonb', 'words text']
    this.#shape = [...shape, ...extracted.map((pair) => pair.join(' '))].join(', ')
  }

  /** The rows that a parameter holds, as `d`. */
  source(parameter: string): string {
    return `jsonb_to_recordset(${parameter}::jsonb) AS d(${this.#shape})`
  }

  /** The one row that a parameter holds, as `d`. The planner knows that it is one, and finds what it is about by its key. */
  one(parameter: string): string {
    return `jsonb_to_record(${parameter}::jsonb) AS d(${this.#shape})`
  }

  /** Inserts what a source has; what becomes of those that exist follows. */
  insert(source: string): string {
    return `INSERT INTO ${this.#table.sql} (${this.#table.key}, ${this.names.join(', ')}) SELECT d.key, ${this.values.join(', ')} FROM ${source}`
  }

  /** The assignments by which a row that exists becomes the one to be inserted. */
  get excluded(): string {
    return this.names.map((name) => `${name} = excluded.${name}`).join(', ')
  }

  toJson({ key, revision, expect, record, columns, references, words }: RecordWrite): string {
    const row: Record<string, unknown> = { key, revision, doc: record }
    if (expect !== undefined && expect !== null) row.expect = expect
    if (this.#table.words) row.words = withinLimit(words).join(' ')
    for (const column of this.#scalars) row[sentColumn(column)] = columns[column]
    for (const [index, target] of references.entries()) row[sentReference(index)] = target
    return JSON.stringify(row)
  }
}

/** PostgreSQL holds about a megabyte of words a record; the few texts that have more are found by the first of them. */
function withinLimit(words: readonly string[]): readonly string[] {
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
