import { MAX_RECORD_BYTES, MAX_RECORD_DEPTH } from '@minions/core/json'

/** Far below the limit of a record, for any characters, so that bytes need not be counted. */
const MAX_UNITS = Math.floor(MAX_RECORD_BYTES / 16)

const REFUSED = -1

/**
 * Properties that a contract declares, by name, which need not be examined; the value of a `closed` one neither: its
 * schema limits it to short strings of safe characters.
 */
export type KnownFields = ReadonlyMap<string, 'open' | 'closed'>

/**
 * True if `copyJson` would accept a value that passes the contract and copy it unchanged: plain objects and dense
 * lists, storable strings, well within the limits. `false` only means that the fast path cannot tell.
 */
export function isPlainJson(value: object, fields: KnownFields): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  let remaining = MAX_UNITS
  for (const key in value) {
    const property = (value as Record<string, unknown>)[key]
    const field = fields.get(key)
    if (field === 'closed' && property !== undefined) continue
    if (field === undefined && !isStorable(key)) return false
    remaining = walk(property, 1, remaining - key.length)
    if (remaining < 0) return false
  }
  return true
}

/** Returns what remains of the budget, or a negative number for a value that is refused. */
function walk(value: unknown, depth: number, budget: number): number {
  switch (typeof value) {
    case 'string':
      return isStorable(value) ? budget - value.length : REFUSED
    case 'number':
      return Number.isFinite(value) ? budget - 1 : REFUSED
    case 'boolean':
      return budget - 1
    case 'object':
      if (value === null) return budget - 1
      if (depth >= MAX_RECORD_DEPTH) return REFUSED
      return Array.isArray(value) ? walkList(value, depth + 1, budget - 1) : walkObject(value, depth + 1, budget - 1)
    default:
      return REFUSED
  }
}

function walkList(list: readonly unknown[], depth: number, budget: number): number {
  let remaining = budget
  for (let index = 0; index < list.length && remaining >= 0; index++) remaining = walk(list[index], depth, remaining)
  return remaining
}

function walkObject(object: object, depth: number, budget: number): number {
  if (Object.getPrototypeOf(object) !== Object.prototype) return REFUSED
  let remaining = budget
  for (const key in object) {
    if (!isStorable(key)) return REFUSED
    remaining = walk((object as Record<string, unknown>)[key], depth, remaining - key.length)
    if (remaining < 0) return remaining
  }
  return remaining
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
