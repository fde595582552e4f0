import { coreError } from '../errors/codes.js'
import { cut } from '../errors/quote.js'
import type { Issue } from '../validation/issue.js'
import type { JsonObject, JsonValue } from './json-value.js'
import { orderedKeys } from './key-order.js'
import { pointerTo } from './pointer.js'
import { setOwn } from './set-own.js'

/** Limits of one record, which every backend supports. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024
export const MAX_RECORD_DEPTH = 64

class Refused {
  readonly message: string
  pointer = ''
  constructor(message: string) {
    this.message = message
  }
}

/**
 * Counts down as values are visited, so that an oversized value is refused without being serialised whole. An exact
 * count would examine every character; so each first counts as its worst case, which settles nearly all values.
 */
interface Budget {
  bytes: number
  readonly exact: boolean
  readonly freezes: boolean
}

const MAYBE_TOO_LARGE = Symbol('possibly too large')

/** The longest JSON encoding of one UTF-16 unit (`\\u001f`) and of one number (`-2.2250738585072014e-308`). */
const LONGEST_UNIT = 6
const LONGEST_NUMBER = 24

/**
 * Copies a value into plain JSON, sharing nothing with the original, with the names of every object in canonical order
 * (RFC 8785). Properties that are `undefined` are left out and `-0` becomes 0. Throws `VALIDATION_FAILED` with the JSON Pointer of the first value that JSON or a database cannot
 * hold: NaN, functions, dates, cycles, U+0000, lone surrogates, more than 64 levels or 16 MB of JSON in UTF-8.
 */
export function copyJson<T = JsonValue>(value: T, what = 'The value'): T {
  return copyOrRefuse(value, what, false)
}

/** Like `copyJson`, and freezes the copy all the way down. */
export function frozenJson<T = JsonValue>(value: T, what = 'The value'): T {
  return copyOrRefuse(value, what, true)
}

function copyOrRefuse<T>(value: T, what: string, freezes: boolean): T {
  try {
    return copyWithinLimit(value, freezes) as T
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const name = typeof what === 'string' ? what : 'The value'
    throw coreError('VALIDATION_FAILED', `${name} cannot be stored: ${error.pointer || 'it'} ${error.message}.`, {
      details: { pointer: error.pointer, errors: [issueOf(error)] },
    })
  }
}

/** The issue for which `copyJson` would throw, with the code `json`; `undefined` when the value can be stored as JSON. */
export function jsonProblem(value: unknown): Issue<'json'> | undefined {
  try {
    copyWithinLimit(value, false)
    return undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return issueOf(error)
  }
}

function issueOf({ pointer, message }: Refused): Issue<'json'> {
  return { pointer, code: 'json', message }
}

function copyWithinLimit(value: unknown, freezes: boolean): JsonValue {
  try {
    return copy(value, 0, { bytes: MAX_RECORD_BYTES, exact: false, freezes })
  } catch (error) {
    if (error !== MAYBE_TOO_LARGE) throw refused(error)
  }
  try {
    return copy(value, 0, { bytes: MAX_RECORD_BYTES, exact: true, freezes })
  } catch (error) {
    throw refused(error)
  }
}

function copy(value: unknown, depth: number, budget: Budget): JsonValue {
  switch (typeof value) {
    case 'string':
      spend(budget, budget.exact ? jsonLength(value, budget.bytes) : value.length * LONGEST_UNIT + 2)
      if (!value.isWellFormed()) throw new Refused('contains a lone surrogate')
      if (value.includes('\0')) throw new Refused('contains the character U+0000')
      return value
    case 'number':
      if (!Number.isFinite(value)) throw new Refused(`is ${value}, which JSON cannot represent`)
      spend(budget, budget.exact ? String(value).length : LONGEST_NUMBER)
      return value === 0 ? 0 : value
    case 'boolean':
      spend(budget, value ? 4 : 5)
      return value
    case 'object':
      if (value === null) {
        spend(budget, 4)
        return null
      }
      if (depth >= MAX_RECORD_DEPTH)
        throw new Refused(`is nested deeper than ${MAX_RECORD_DEPTH} levels or contains a cycle`)
      return Array.isArray(value) ? copyArray(value, depth, budget) : copyObject(value, depth, budget)
    default:
      throw new Refused(`is of type ${typeof value}, which JSON cannot represent`)
  }
}

function copyArray(value: readonly unknown[], depth: number, budget: Budget): JsonValue[] {
  spend(budget, Math.max(2, value.length + 1))
  const result: JsonValue[] = new Array(value.length)
  for (let index = 0; index < value.length; index++) {
    try {
      result[index] = copy(value[index], depth + 1, budget)
    } catch (error) {
      throw at(error, index)
    }
  }
  return budget.freezes ? (Object.freeze(result) as JsonValue[]) : result
}

function copyObject(value: object, depth: number, budget: Budget): JsonObject {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
    throw new Refused(`is a ${cut(String(value.constructor?.name ?? 'class'))} object, not plain JSON`)
  }
  const result: Record<string, JsonValue> = {}
  const keys = orderedKeys(value)
  let isEmpty = true
  let key = ''
  try {
    for (let index = 0; index < keys.length; index++) {
      key = keys[index] as string
      const property = (value as Record<string, unknown>)[key]
      if (property === undefined) continue
      isEmpty = false
      spend(budget, 2)
      copyKey(key, budget)
      setOwn(result, key, copy(property, depth + 1, budget))
    }
  } catch (error) {
    throw at(error, key)
  }
  spend(budget, isEmpty ? 2 : 1)
  return budget.freezes ? Object.freeze(result) : result
}

/** Property names already found storable; records repeat the same ones. */
const knownKeys = new Set<string>()
const MOST_KNOWN_KEYS = 1000

function copyKey(key: string, budget: Budget): void {
  if (!budget.exact && knownKeys.has(key)) {
    spend(budget, key.length * LONGEST_UNIT + 2)
    return
  }
  copy(key, 0, budget)
  if (knownKeys.size < MOST_KNOWN_KEYS && key.length < 100) knownKeys.add(key)
}

function spend(budget: Budget, bytes: number): void {
  budget.bytes -= bytes
  if (budget.bytes >= 0) return
  throw budget.exact ? new Refused(`makes the record larger than ${MAX_RECORD_BYTES} bytes`) : MAYBE_TOO_LARGE
}

/** Length of a string as JSON in UTF-8, with quotes and escapes; at least the limit if it is exceeded anyway. */
function jsonLength(text: string, limit: number): number {
  if (text.length > limit) return text.length
  const json = JSON.stringify(text)
  let bytes = json.length
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index)
    // A surrogate pair takes four bytes, so each half counts as two.
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}

function at(error: unknown, segment: string | number): unknown {
  if (error === MAYBE_TOO_LARGE) return error
  const refusal = refused(error)
  refusal.pointer = pointerTo('', cut(String(segment))) + refusal.pointer
  return refusal
}

/** Anything else was thrown by a getter or a proxy of the caller. */
function refused(error: unknown): Refused {
  return error instanceof Refused ? error : new Refused('cannot be read')
}
