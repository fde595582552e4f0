import { pointerTo } from '@minions/core'
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

/** The schemas directly inside one; boolean schemas and members that are no schema at all are left out. */
export function subschemas(schema: Record<string, unknown>, pointer: string): Subschema[] {
  const found: Subschema[] = []
  const add = (value: unknown, place: Place, at: string) => {
    if (isRecord(value)) found.push({ schema: value, place, pointer: at })
  }
  for (const key of Object.keys(schema)) {
    if (!Object.hasOwn(KEYWORDS, key)) continue
    const { shape, place } = KEYWORDS[key] as Keyword
    const value = schema[key]
    const at = pointerTo(pointer, key)
    if (Array.isArray(value)) {
      if (shape !== 'schema') for (const [index, item] of value.entries()) add(item, place, pointerTo(at, index))
    } else if (shape === 'map' && isRecord(value)) {
      for (const name of Object.keys(value)) add(value[name], place, pointerTo(at, name))
    } else {
      add(value, place, at)
    }
  }
  return found
}

/** Every schema inside a schema, itself first. */
export function allSubschemas(root: Record<string, unknown>): Subschema[] {
  const all: Subschema[] = [{ schema: root, place: 'same', pointer: '' }]
  for (let index = 0; index < all.length; index++) {
    const { schema, pointer } = all[index] as Subschema
    for (const child of subschemas(schema, pointer)) all.push(child)
  }
  return all
}
