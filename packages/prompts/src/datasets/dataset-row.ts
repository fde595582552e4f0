import type { JsonObject } from '@minions/core/json'

/** A row of a data set: values by name, and the line it begins in, from 1. */
export interface DatasetRow {
  readonly line: number
  readonly values: JsonObject
}

/** Text in pieces, such as a file that is read as a stream. */
export type TextSource = string | Iterable<string> | AsyncIterable<string>

/** Most characters of one row; a quote that is never closed would otherwise take in the rest of the file. */
export const MAX_ROW = 1_000_000
