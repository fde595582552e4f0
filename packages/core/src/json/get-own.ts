import { guarded } from '../errors/guard.js'

/** An own property, or `undefined`; inherited properties are ignored. */
export function getOwn<T>(object: Readonly<Record<string, T>>, key: string): T | undefined
export function getOwn(object: object, key: string): unknown
export function getOwn(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined
}

/** The same for callers that may pass anything; inside, it is called too often. */
export const guardedGetOwn = guarded('getOwn', getOwn, { checksInside: false })
