import { guarded, requireLength } from '../errors/guard.js'
import type { JsonValue } from './json-value.js'
import { setOwn } from './set-own.js'

/** Longer lists are sorted faster by the platform. */
const MOST_INSERTED = 32

/** The own names of an object in canonical order (RFC 8785), by UTF-16 unit. */
export function orderedKeys(object: object): string[] {
  return inOrder(Object.keys(object))
}

/** Sorts names in place. Records have few, and mostly in order already. */
function inOrder(keys: string[]): string[] {
  if (keys.length > MOST_INSERTED) return areOrdered(keys) ? keys : keys.sort()
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string
    let position = index
    for (; position > 0 && (keys[position - 1] as string) > key; position--)
      keys[position] = keys[position - 1] as string
    keys[position] = key
  }
  return keys
}

/**
 * A JSON value with the names of every object in canonical order, so that it serialises the same way wherever it was
 * stored; returns the value itself if it is already ordered. Names that are integers come first, as in JavaScript.
 */
export const inKeyOrder = guarded('inKeyOrder', <T>(value: T): T => ordered(value as JsonValue) as T)

/** Like `inKeyOrder` for the names of the object itself. */
export function withKeysInOrder<T extends object>(object: T): T {
  const keys = Object.keys(object)
  if (areOrdered(keys)) return object
  const own = object as Readonly<Record<string, unknown>>
  const result: Record<string, unknown> = {}
  for (const key of inOrder(keys)) setOwn(result, key, own[key])
  return result as T
}

function ordered(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? orderedList(value) : orderedObject(value as { readonly [key: string]: JsonValue })
}

function orderedList(list: readonly JsonValue[]): readonly JsonValue[] {
  requireLength(list)
  let copy: JsonValue[] | undefined
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as JsonValue
    const other = ordered(element)
    if (other === element) continue
    copy ??= [...list]
    copy[index] = other
  }
  return copy ?? list
}

/** Copies once, and only from the first name that is out of order or whose value is. */
function orderedObject(own: { readonly [key: string]: JsonValue }): JsonValue {
  const keys = Object.keys(own)
  let copy: Record<string, JsonValue> | undefined
  if (!areOrdered(keys)) {
    copy = {}
    inOrder(keys)
  }
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string
    const member = own[key] as JsonValue
    const other = ordered(member)
    if (copy === undefined && other !== member) {
      copy = {}
      for (const earlier of keys.slice(0, index)) setOwn(copy, earlier, own[earlier] as JsonValue)
    }
    if (copy) setOwn(copy, key, other)
  }
  return copy ?? own
}

export function areOrdered(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false
  }
  return true
}
