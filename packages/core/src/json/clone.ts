import { guarded, requireLength } from '../errors/guard.js'
import type { JsonValue } from './json-value.js'

/** A deep copy of something known to be JSON, many times faster than `structuredClone`. */
export const cloneJson = guarded('cloneJson', <T>(value: T): T => clone(value as JsonValue) as T, {
  checksInside: false,
})

function clone(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    requireLength(value)
    return value.map(clone)
  }
  // Spreading copies own properties only, including one called `__proto__`, which can then be assigned to.
  const copy: Record<string, JsonValue> = { ...(value as Record<string, JsonValue>) }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null && Object.hasOwn(copy, key)) copy[key] = clone(member)
  }
  return copy
}
