import { guarded, requireLength } from '../errors/guard.js'

/** Deep equality of JSON values, regardless of key order. */
export const jsonEqual = guarded('jsonEqual', jsonEqualUnchecked, { checksInside: false })

function jsonEqualUnchecked(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    requireLength(a)
    return a.every((element, index) => jsonEqualUnchecked(element, b[index]))
  }
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && jsonEqualUnchecked(left[key], right[key]))
  )
}
