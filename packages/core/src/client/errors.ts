import { coreError } from '../errors/codes.js'
import { nearestName } from '../errors/nearest-name.js'
import { cut, quote } from '../errors/quote.js'
import type { ValidationError, ValidationResult } from '../schemas/validation-result.js'

export function notFound(what: string, id: unknown): Error {
  const given = typeof id === 'string' ? cut(id) : quote(id)
  return coreError('NOT_FOUND', `There is no ${what} ${quote(id)}.`, { details: { what, id: given } })
}

export function stale(id: string, current: string): Error {
  return coreError('CONFLICT', `"${id}" has changed since it was read; read it again and repeat the change.`, {
    details: { key: id, current },
  })
}

/** Throws `VALIDATION_FAILED` with all errors; those of several results carry the index of their result. */
export function assertValid(results: readonly ValidationResult[], what: string): void {
  const errors: (ValidationError & { index?: number })[] = []
  for (const [index, { valid, errors: found }] of results.entries()) {
    if (valid) continue
    for (const error of found) errors.push(results.length === 1 ? error : { ...error, index })
  }
  if (errors.length === 0) return
  const shown = errors.slice(0, 10).map((error) => error.message)
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`)
  throw coreError('VALIDATION_FAILED', `${what} is not valid: ${shown.join(' ')}`, { details: { errors } })
}

/** What the queries of a client have in common. */
export const LISTING = ['orderBy', 'limit', 'cursor', 'includeDeleted'] as const

/** Throws `INVALID_QUERY` for a query with a property of another name, which would silently not restrict it. */
export function requireKnownNames(what: string, query: object, known: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, known)
  const guess = nearest === undefined ? `it has ${known.join(', ')}.` : `did you mean "${nearest}"?`
  throw coreError('INVALID_QUERY', `${what} has no "${unknown.slice(0, 100)}"; ${guess}`)
}
