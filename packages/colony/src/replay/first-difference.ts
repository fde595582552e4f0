import { compareCodePoints, getOwn, isRecord, type JsonValue, jsonEqual, pointerTo } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'

/** The first location where two values differ, with members sorted by name, and both values there. */
export interface Difference {
  /** A JSON Pointer (RFC 6901). */
  readonly pointer: string
  readonly stored: JsonValue | undefined
  readonly derived: JsonValue | undefined
}

/** The first difference between two JSON values, or `undefined` when they are equal. */
export const firstDifference = guarded(
  'firstDifference',
  (stored: JsonValue | undefined, derived: JsonValue | undefined, pointer = ''): Difference | undefined => {
    if (stored === undefined || derived === undefined) {
      return stored === derived ? undefined : { pointer, stored, derived }
    }
    if (jsonEqual(stored, derived)) return undefined
    if (Array.isArray(stored) && Array.isArray(derived)) {
      for (let index = 0; index < Math.max(stored.length, derived.length); index++) {
        const found = firstDifference(stored[index], derived[index], pointerTo(pointer, String(index)))
        if (found) return found
      }
    } else if (isRecord(stored) && isRecord(derived)) {
      const keys = [...new Set([...Object.keys(stored), ...Object.keys(derived)])].sort(compareCodePoints)
      for (const key of keys) {
        const found = firstDifference(getOwn(stored, key), getOwn(derived, key), pointerTo(pointer, key))
        if (found) return found
      }
    }
    return { pointer, stored, derived }
  },
)
