import { keptColumns, type RecordWrite } from '@minions/core/storage'
import { escapeLiteral } from 'pg'
import type { Table } from './names.js'

/** Maximum size of a record in a text index, in bytes. */
const MAX_WORDS_BYTES = 1_000_000

/** Names of transferred values, which no declared name can clash with. */
const sentColumn = (position: number) => `c${position}`
const sentReference = (position: number) => `r${position}`

const TYPES = { string: 'text', number: 'float8', boolean: 'boolean', strings: '' } as const

/** Transfer format of a collection's records: any number of them as one JSON string, which the statement unpacks. */
export class Rows {
  /** Columns that are written, except the key. */
  readonly names: readonly string[]
  /** Their values, as SQL about a row `d` of the source. */
  readonly values: readonly string[]
  /** The columns of a removed record kept by the change feed, as SQL about a row `c` for one JSON object. */
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

  /** The rows in a parameter, as `d`. */
  source(parameter: string): string {
    return `jsonb_to_recordset(${parameter}::jsonb) AS d(${this.#shape})`
  }

  /** The single row in a parameter, as `d`. The planner knows that there is one, and uses the key index. */
  one(parameter: string): string {
    return `jsonb_to_record(${parameter}::jsonb) AS d(${this.#shape})`
  }

  /** Inserts the rows of a source; the handling of existing rows follows. */
  insert(source: string): string {
    return `INSERT INTO ${this.#table.sql} (${this.#table.key}, ${this.names.join(', ')}) SELECT d.key, ${this.values.join(', ')} FROM ${source}`
  }

  /** The assignments that turn an existing row into the one to be inserted. */
  get excluded(): string {
    return this.names.map((name) => `${name} = excluded.${name}`).join(', ')
  }

  /** One row as JSON. Written out, since an object that differs from table to table is slow to make and to read. */
  toJson({ key, revision, expect, record, columns, references, words }: RecordWrite): string {
    let json = `{"key":${JSON.stringify(key)},"revision":${JSON.stringify(revision)},"doc":${JSON.stringify(record)}`
    if (expect !== undefined && expect !== null) json += `,"expect":${JSON.stringify(expect)}`
    if (this.#table.words) json += `,"words":${JSON.stringify(withinLimit(words).join(' '))}`
    for (const column of this.#scalars) json += member(sentColumn(column), columns[column])
    for (let index = 0; index < references.length; index++) json += member(sentReference(index), references[index])
    return `${json}}`
  }
}

function member(name: string, value: RecordWrite['columns'][number] | undefined): string {
  return value === undefined || value === null ? '' : `,"${name}":${JSON.stringify(value)}`
}

/**
 * PostgreSQL holds about a megabyte of words per record; the few texts that have more are found by the first of them.
 */
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
