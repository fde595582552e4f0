import { MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@minions/core/json'

/** Far below the limit of a record, for any characters, so that bytes need not be counted. */
const MAX_UNITS = Math.floor(MAX_RECORD_BYTES / 16)

const REFUSED = -1

/** Properties that a contract declares, which need not be examined. */
export interface KnownFields {
  /** The names of its properties. */
  readonly fields: ReadonlySet<string>
  /** Those whose values its schema limits to short strings of safe characters. */
  readonly closedFields: ReadonlySet<string>
}

/**
 * True if `copyJson` would accept a value that passes the contract and copy it unchanged: plain objects and dense
 * lists, storable strings, well within the limits. `false` only means that the fast path cannot tell.
 */
export function isPlainJson(value: object, { fields, closedFields }: KnownFields): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  let remaining = MAX_UNITS
  for (const key in value) {
    const property = (value as Record<string, unknown>)[key]
    if (property !== undefined && closedFields.has(key)) continue
    if (!fields.has(key) && !isStorable(key)) return false
    remaining = walk(property, 1, remaining - key.length)
    if (remaining < 0) return false
  }
  return true
}

/** Returns what remains of the budget, or a negative number for a value that is refused. */
function walk(value: unknown, depth: number, budget: number): number {
  if (typeof value === 'string') return isStorable(value) ? budget - value.length : REFUSED
  if (typeof value === 'number') return Number.isFinite(value) ? budget - 1 : REFUSED
  if (typeof value === 'boolean' || value === null) return budget - 1
  if (typeof value !== 'object' || depth >= MAX_RECORD_DEPTH) return REFUSED
  let remaining = budget - 1
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && remaining >= 0; index++)
      remaining = walk(value[index], depth + 1, remaining)
    return remaining
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return REFUSED
  for (const key in value) {
    if (!isStorable(key)) return REFUSED
    remaining = walk((value as Record<string, unknown>)[key], depth + 1, remaining - key.length)
    if (remaining < 0) return remaining
  }
  return remaining
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
