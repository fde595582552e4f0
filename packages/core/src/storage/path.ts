import { guarded } from '../errors/guard.js'
import type { JsonValue } from '../json/json-value.js'

/** A path into a record: names of nested properties. Arrays are not entered. */
export type Path = readonly string[]

const parsed = new Map<string, Path>()

/** Parses `fields.confidence`; a dot or backslash inside a name is written `\.` or `\\`. */
export const parsePath = guarded('parsePath', (text: string): Path => {
  let path = parsed.get(text)
  if (path === undefined) {
    path = text.includes('\\') ? splitEscaped(text) : text.split('.')
    if (parsed.size < 1000 && text.length <= 200) parsed.set(text, path)
  }
  return path
})

function splitEscaped(text: string): Path {
  const names: string[] = []
  let name = ''
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '.') {
      names.push(name)
      name = ''
      continue
    }
    if (text[index] === '\\' && index + 1 < text.length) index += 1
    name += text[index]
  }
  return [...names, name]
}

/** Formats a path for `parsePath`. */
export const formatPath = guarded('formatPath', (path: Path): string =>
  path.map((name) => name.replace(/[\\.]/g, '\\$&')).join('.'),
)

/** The same as `valueAt` for callers that may pass anything; inside, it is called too often. */
export const guardedValueAt = guarded('valueAt', valueAt)

/** The value at a path, or `undefined`. Only own properties of objects are followed. */
export function valueAt(record: unknown, path: Path): JsonValue | undefined {
  let value = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value as JsonValue | undefined
}
