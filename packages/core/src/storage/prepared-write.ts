import type { JsonObject } from '../json/json-value.js'
import type { ColumnValue, RecordWrite } from './backend.js'
import { searchWords } from './text.js'

/** A record ready to be written. Its words are extracted on first use, which in memory may be never. */
export class PreparedWrite implements RecordWrite {
  readonly key: string
  readonly revision: string
  readonly record: JsonObject
  readonly columns: readonly ColumnValue[]
  readonly references: readonly (string | null)[]
  readonly expect?: string | null
  readonly #text: string
  #words: readonly string[] | undefined

  constructor(
    key: string,
    revision: string,
    record: JsonObject,
    columns: readonly ColumnValue[],
    references: readonly (string | null)[],
    text: string,
    expect: string | null | undefined,
  ) {
    this.key = key
    this.revision = revision
    this.record = record
    this.columns = columns
    this.references = references
    if (expect !== undefined) this.expect = expect
    this.#text = text
  }

  get words(): readonly string[] {
    this.#words ??= searchWords(this.#text)
    return this.#words
  }
}
