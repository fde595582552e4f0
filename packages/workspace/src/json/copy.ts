import { pointerTo, setOwn } from '@minions/core/json'
import { workspaceError } from '../errors.js'

/** Deeper values are refused: they would exhaust the stack of one program or the other. */
const MAX_DEPTH = 500

/**
 * Copies a value into plain JSON for a file, or throws `VALIDATION_FAILED` with the pointer to a value that JSON cannot
 * represent. Unlike core's `copyJson` it has no database limits: a file of the Python original may hold U+0000.
 */
export function copyForFile<T>(value: T, what: string): T {
  const path: Path = []
  try {
    return copy(value, path) as T
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const pointer = path.reduce<string>(pointerTo, '')
    const message = `${what} cannot be written as JSON: ${pointer || 'it'} ${error.reason}.`
    throw workspaceError('VALIDATION_FAILED', message, {
      details: { pointer, errors: [{ pointer, message: error.reason }] },
    })
  }
}

/** Current position; left in place when a value is refused. */
type Path = (string | number)[]

class Refused {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

function copy(value: unknown, path: Path): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refused(`is ${value}`)
    return value
  }
  if (typeof value !== 'object') throw new Refused(`is of type ${typeof value}`)
  if (path.length >= MAX_DEPTH) throw new Refused(`is nested deeper than ${MAX_DEPTH} levels or contains a cycle`)
  return Array.isArray(value) ? copyList(value, path) : copyObject(value, path)
}

function copyList(value: readonly unknown[], path: Path): unknown[] {
  return Array.from(value, (element, index) => {
    path.push(index)
    const result = copy(element, path)
    path.pop()
    return result
  })
}

function copyObject(value: object, path: Path): Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new Refused('is not a plain object')
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    path.push(key)
    setOwn(result, key, copy(member, path))
    path.pop()
  }
  return result
}
