import { guarded } from '../errors/guard.js'

/** Sets an own property even when it is called `__proto__`. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** The same for callers that may pass anything; inside, it is called too often. */
export const guardedSetOwn = guarded('setOwn', setOwn, { checksInside: false })
