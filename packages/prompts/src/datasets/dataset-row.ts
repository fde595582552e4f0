import type { JsonObject } from '@minions/core/json'

/** A row of a data set: values by name, and the line it begins on, from 1. */
export interface DatasetRow {
  readonly line: number
  readonly values: JsonObject
}

/** Text in chunks, such as a file read as a stream. */
export type TextSource = string | Iterable<string> | AsyncIterable<string>

/** Maximum length of a row; an unclosed quote would otherwise consume the rest of the file. */
export const MAX_ROW = 1_000_000
