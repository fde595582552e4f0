import { coreError } from '../errors/codes.js'
import type { JsonScalar, JsonValue } from '../json/json-value.js'
import type { QueryPlan, StoredRecord } from './backend.js'
import { valueAt } from './path.js'
import type { CollectionQuery } from './query.js'

type Position = NonNullable<QueryPlan['after']>

/** A cursor after a record: its sort values, its key, and a hash of the query, as base64url of JSON in ASCII. */
export function encodeCursor(collection: string, query: CollectionQuery, plan: QueryPlan, last: StoredRecord): string {
  const values = plan.order.map(({ operand }) => sortValue(valueAt(last.record, operand.path)))
  const text = JSON.stringify([hashQuery(collection, query), last.key, ...values])
  const ascii = text.replace(/[^\x20-\x7e]/g, escapeUnit)
  return btoa(ascii).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes a cursor. Throws `INVALID_CURSOR` when it is damaged or belongs to another query. */
export function decodeCursor(cursor: string, collection: string, query: CollectionQuery, plan: QueryPlan): Position {
  let content: unknown
  try {
    if (typeof cursor !== 'string') throw new TypeError('a cursor must be a string')
    content = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
  } catch (cause) {
    throw coreError('INVALID_CURSOR', 'This cursor is damaged; start again without one.', { cause })
  }
  if (!Array.isArray(content) || content[0] !== hashQuery(collection, query)) {
    throw coreError('INVALID_CURSOR', 'This cursor belongs to another query; start again without one.')
  }
  const [, key, ...values] = content
  if (
    typeof key !== 'string' ||
    values.length !== plan.order.length ||
    !values.every((value) => sortValue(value) === value)
  ) {
    throw coreError('INVALID_CURSOR', 'This cursor is damaged; start again without one.')
  }
  return { key, values }
}

/** Objects and arrays have no order and sort as null. */
export function sortValue(value: JsonValue | undefined): JsonScalar {
  return value === undefined || typeof value === 'object' ? null : value
}

/**
 * The limit may change from page to page; everything else may not. Not a secret, so a fast 53-bit hash is enough. A
 * planned query holds only values that JSON can distinguish.
 */
function hashQuery(collection: string, { where, text: words, orderBy }: CollectionQuery): string {
  const text = JSON.stringify([collection, where, words, orderBy])
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  return ((high >>> 0) * 0x200000 + (low >>> 11)).toString(36)
}

/** JSON may escape any character, and base64 encodes only these. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
