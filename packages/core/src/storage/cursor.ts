import { coreError } from '../errors/codes.js'
import type { JsonScalar, JsonValue } from '../json/json-value.js'
import type { QueryPlan, StoredRecord } from './backend.js'
import { valueAt } from './path.js'

type Position = NonNullable<QueryPlan['after']>

/** A cursor behind a record: its sort values, its key, and a hash of the question, as base64url of JSON. */
export function encodeCursor(collection: string, plan: QueryPlan, last: StoredRecord): string {
  const values = plan.order.map(({ operand }) => sortValue(valueAt(last.record, operand.path)))
  const text = JSON.stringify([hashPlan(collection, plan), last.key, ...values])
  return toBase64Url(new TextEncoder().encode(text))
}

/** Reads a cursor back. Throws `INVALID_CURSOR` when it is damaged or belongs to another question. */
export function decodeCursor(cursor: string, collection: string, plan: QueryPlan): Position {
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(cursor)))
  } catch (cause) {
    throw coreError('INVALID_CURSOR', 'This cursor is damaged; start again without one.', { cause })
  }
  if (!Array.isArray(content) || content[0] !== hashPlan(collection, plan)) {
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

/** Objects and arrays have no order and stand where null stands. */
export function sortValue(value: JsonValue | undefined): JsonScalar {
  return value === undefined || typeof value === 'object' ? null : value
}

/** The limit may change from page to page; everything else may not. Not a secret, so a fast 53-bit hash will do. */
function hashPlan(collection: string, plan: QueryPlan): string {
  const text = JSON.stringify([collection, plan.where, plan.words, plan.order, plan.keyDirection])
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  return ((high >>> 0) * 0x200000 + (low >>> 11)).toString(36)
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array {
  if (typeof text !== 'string') throw new TypeError('a cursor is a string')
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
