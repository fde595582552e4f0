import { coreError } from '../../errors/codes.js'
import { quote } from '../../errors/quote.js'
import { takeList, takeOptions } from '../../errors/take.js'
import type { Collection } from '../collection.js'
import { invalidPosition } from './errors.js'
import type { ChangePageQuery, ChangesQuery, FollowOptions } from './store-change.js'

const DEFAULT_LIMIT = 100
const MOST_CHANGES = 1000
const LONGEST_CURSOR = 100_000

interface TakenQuery {
  readonly since: string
  readonly collections: readonly string[] | undefined
}

/** Reads the options for following a feed. Throws `VALIDATION_FAILED` and `INVALID_CURSOR`. */
export function takeFollowOptions(
  options: FollowOptions | undefined,
): TakenQuery & { readonly signal: AbortSignal | undefined } {
  const { signal, ...query } = takeOptions('The options of changes', options)
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw coreError('VALIDATION_FAILED', `The signal of changes must be an AbortSignal, not ${quote(signal)}.`)
  }
  return { ...takeQuery(query), signal }
}

/** Reads the query for a page of changes. Throws `INVALID_QUERY` and `INVALID_CURSOR`. */
export function takeChangePageQuery(given: ChangePageQuery | undefined): TakenQuery & { readonly limit: number } {
  const { limit = DEFAULT_LIMIT, ...query } = takeOptions('A query for changes', given)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_CHANGES) {
    throw coreError(
      'INVALID_QUERY',
      `The limit of a page of changes must be an integer from 1 to ${MOST_CHANGES}, not ${quote(limit)}.`,
    )
  }
  return { ...takeQuery(query), limit }
}

function takeQuery({ since = 'now', collections }: ChangesQuery): TakenQuery {
  if (typeof since !== 'string' || since.length > LONGEST_CURSOR) throw invalidPosition(since)
  return { since, collections: collections && takeList('The collections', collections).map(nameOf) }
}

function nameOf(collection: string | Collection): string {
  const name = typeof collection === 'string' ? collection : collection?.name
  if (typeof name === 'string') return name
  throw coreError('VALIDATION_FAILED', `A collection must be given by name, not as ${quote(collection)}.`)
}
