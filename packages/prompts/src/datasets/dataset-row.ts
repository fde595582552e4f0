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

/** The pieces of a text. Throws `VALIDATION_FAILED` for what has none. */
export function piecesOf(source: TextSource): Iterable<string> | AsyncIterable<string> {
  if (typeof source === 'string') return [source]
  if (typeof source === 'object' && source !== null && (Symbol.asyncIterator in source || Symbol.iterator in source)) {
    return source
  }
  throw coreError('VALIDATION_FAILED', `A data set must be a text or pieces of one, not ${quote(source)}.`)
}

/** The error for a line of a data set. */
export function invalid(line: number, problem: string, cause?: unknown): Error {
  return promptsError('DATASET_INVALID', `Line ${line} of the data set cannot be used: ${problem}.`, {
    details: { line },
    cause,
  })
}

/** Throws `VALIDATION_FAILED` unless a piece of a data set is a text. */
export function requirePiece(piece: string): string {
  if (typeof piece === 'string') return piece
  throw coreError('VALIDATION_FAILED', `A piece of a data set must be a text, not ${quote(piece)}.`)
}
