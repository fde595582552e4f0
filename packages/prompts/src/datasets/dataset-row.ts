import { coreError, quote } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { promptsError } from '../errors.js'

/** A row of a data set: values by name, and the line it begins on, from 1. */
export interface DatasetRow {
  readonly line: number
  readonly values: JsonObject
}

/** Text in chunks, such as a file read as a stream. */
export type TextSource = string | Iterable<string> | AsyncIterable<string>

/** Maximum length of a row; an unclosed quote would otherwise consume the rest of the file. */
export const MAX_ROW = 1_000_000

/** The pieces of a text, without a byte order mark. Throws `VALIDATION_FAILED` for what is not text. */
export async function* piecesOf(source: TextSource): AsyncGenerator<string> {
  const isIterable = Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source)
  if (!isIterable) {
    throw coreError('VALIDATION_FAILED', `A data set must be a text or pieces of one, not ${quote(source)}.`)
  }
  let isFirst = true
  for await (const piece of typeof source === 'string' ? [source] : source) {
    if (typeof piece !== 'string') {
      throw coreError('VALIDATION_FAILED', `A piece of a data set must be a text, not ${quote(piece)}.`)
    }
    yield isFirst ? piece.replace(/^\ufeff/, '') : piece
    if (piece !== '') isFirst = false
  }
}

/** The error for a line of a data set. */
export function invalid(line: number, problem: string, cause?: unknown): Error {
  return promptsError('DATASET_INVALID', `Line ${line} of the data set cannot be used: ${problem}.`, {
    details: { line },
    cause,
  })
}
