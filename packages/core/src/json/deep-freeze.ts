import { guarded } from '../errors/guard.js'
/** Freezes plain data all the way down. The data must be JSON, so it is neither cyclic nor deep. */
export const deepFreeze = guarded('deepFreeze', deepFreezeUnchecked)

function deepFreezeUnchecked<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  // `for…in` allocates no list, which would take most of the time for small objects.
  for (const key in value) {
    const member: unknown = value[key]
    if (typeof member === 'object' && member !== null) deepFreeze(member)
  }
  return Object.freeze(value)
}
