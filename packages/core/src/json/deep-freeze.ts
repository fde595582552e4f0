import { guarded, requireLength } from '../errors/guard.js'

/** Freezes plain data all the way down. The data must be JSON, so it is neither cyclic nor deep. */
export const deepFreeze = guarded('deepFreeze', deepFreezeUnchecked, { checksInside: false })

function deepFreezeUnchecked<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) requireLength(value)
  // `for…in` allocates no list, which would take most of the time for small objects.
  for (const key in value) {
    const member: unknown = value[key]
    if (typeof member === 'object' && member !== null) deepFreezeUnchecked(member)
  }
  return Object.freeze(value)
}
