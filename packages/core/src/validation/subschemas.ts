import { isRecord } from '../json/is-record.js'
import { pointerTo } from '../json/pointer.js'
import { setOwn } from '../json/set-own.js'
import type { Dialect } from './json-schema.js'
import { type Keyword, keywordOf, type Location } from './keywords.js'

/** A schema as an object; `true` and `false` are schemas too, but have nothing inside. */
export type SchemaObject = Record<string, unknown>

export interface Subschema {
  readonly schema: SchemaObject
  readonly location: Location
  readonly pointer: string
}

type Change = (subschema: Subschema) => unknown

/** The value of a keyword, with each schema in it replaced; boolean schemas and other values stay. */
export function mapSchemas({ takes, location }: Keyword, value: unknown, pointer: string, change: Change): unknown {
  if (location === undefined) return value
  const changed = (part: unknown, at: string) =>
    isRecord(part) ? change({ schema: part, location, pointer: at }) : part
  if (Array.isArray(value)) return value.map((part, index) => changed(part, pointerTo(pointer, index)))
  if (!isRecord(value) || (takes !== 'schemaMap' && takes !== 'dependencies')) return changed(value, pointer)
  const map: SchemaObject = {}
  for (const [name, part] of Object.entries(value)) setOwn(map, name, changed(part, pointerTo(pointer, name)))
  return map
}

/** The schemas directly inside one, boolean schemas left out. */
export function subschemas(schema: SchemaObject, pointer: string, dialect: Dialect): Subschema[] {
  const found: Subschema[] = []
  for (const [name, value] of Object.entries(schema)) {
    const keyword = keywordOf(name, dialect)
    if (keyword !== undefined) mapSchemas(keyword, value, pointerTo(pointer, name), (part) => found.push(part))
  }
  return found
}
