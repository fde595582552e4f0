import { pointerTo, setOwn } from '@minions/core'
import { isRecord } from '../validation.js'

/** Whether a subschema judges the same value as its parent, or a value inside it. */
type Place = 'same' | 'inside' | 'definition'

interface Keyword {
  readonly shape: 'schema' | 'list' | 'map' | 'schema-or-list'
  readonly place: Place
}

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  allOf: { shape: 'list', place: 'same' },
  anyOf: { shape: 'list', place: 'same' },
  oneOf: { shape: 'list', place: 'same' },
  not: { shape: 'schema', place: 'same' },
  if: { shape: 'schema', place: 'same' },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; nothing awaits this table
  then: { shape: 'schema', place: 'same' },
  else: { shape: 'schema', place: 'same' },
  dependentSchemas: { shape: 'map', place: 'same' },
  dependencies: { shape: 'map', place: 'same' },
  properties: { shape: 'map', place: 'inside' },
  patternProperties: { shape: 'map', place: 'inside' },
  additionalProperties: { shape: 'schema', place: 'inside' },
  unevaluatedProperties: { shape: 'schema', place: 'inside' },
  propertyNames: { shape: 'schema', place: 'inside' },
  items: { shape: 'schema-or-list', place: 'inside' },
  prefixItems: { shape: 'list', place: 'inside' },
  additionalItems: { shape: 'schema', place: 'inside' },
  unevaluatedItems: { shape: 'schema', place: 'inside' },
  contains: { shape: 'schema', place: 'inside' },
  contentSchema: { shape: 'schema', place: 'definition' },
  $defs: { shape: 'map', place: 'definition' },
  definitions: { shape: 'map', place: 'definition' },
}

/** One schema directly inside another. */
export interface Subschema {
  readonly schema: Record<string, unknown>
  readonly place: Place
  readonly pointer: string
}

/** A copy of a schema in which `change` replaced every schema directly inside it; boolean schemas stay. */
export function mapSubschemas(
  schema: Record<string, unknown>,
  pointer: string,
  change: (subschema: Subschema) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    const keyword = Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : undefined
    setOwn(copy, key, keyword === undefined ? value : mapKeyword(keyword, value, pointerTo(pointer, key), change))
  }
  return copy
}

function mapKeyword(
  { shape, place }: Keyword,
  value: unknown,
  pointer: string,
  change: (subschema: Subschema) => unknown,
): unknown {
  const changed = (part: unknown, at: string) => (isRecord(part) ? change({ schema: part, place, pointer: at }) : part)
  if (Array.isArray(value)) {
    return shape === 'schema' ? value : value.map((part, index) => changed(part, pointerTo(pointer, index)))
  }
  if (shape !== 'map' || !isRecord(value)) return changed(value, pointer)
  const map: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) setOwn(map, name, changed(part, pointerTo(pointer, name)))
  return map
}

/** The schemas directly inside one, boolean schemas left out. */
export function subschemas(schema: Record<string, unknown>, pointer: string): Subschema[] {
  const found: Subschema[] = []
  mapSubschemas(schema, pointer, (subschema) => found.push(subschema))
  return found
}

/** Every schema inside a schema, itself first. */
export function allSubschemas(root: Record<string, unknown>, pointer = ''): Subschema[] {
  const all: Subschema[] = [{ schema: root, place: 'same', pointer }]
  for (let index = 0; index < all.length; index++) {
    const { schema, pointer } = all[index] as Subschema
    for (const child of subschemas(schema, pointer)) all.push(child)
  }
  return all
}
