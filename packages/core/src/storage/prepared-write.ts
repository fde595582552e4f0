import type { JsonObject } from '../json/json-value.js'
import type { ColumnValue, RecordWrite } from './backend.js'
import { searchWords } from './text.js'

/** A record ready to be written. Its words are found when they are first asked for, which in memory may be never. */
export class PreparedWrite implements RecordWrite {
  readonly key: string
  readonly revision: string
  readonly record: JsonObject
  readonly columns: readonly ColumnValue[]
  readonly references: readonly (string | null)[]
  readonly expect?: string | null
  #text: string
  #words: readonly string[] | undefined

  constructor(write: Omit<RecordWrite, 'words' | 'expect'>, text: string, expect: string | null | undefined) {
    this.key = write.key
    this.revision = write.revision
    this.record = write.record
    this.columns = write.columns
    this.references = write.references
    if (expect !== undefined) this.expect = expect
    this.#text = text
  }

  get words(): readonly string[] {
    this.#words ??= searchWords(this.#text)
    return this.#words
  }
}
