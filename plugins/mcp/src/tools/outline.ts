import { isRecord } from '@minions/core/json'

/** Keywords that say what a value is made of. Rules on values are left to the operation, which checks them anyway. */
const KEPT = new Set(['type', 'properties', 'items', 'anyOf', 'enum', 'const', 'additionalProperties', 'default'])

/** Keywords that no client needs. */
const DROPPED = new Set(['examples', '$id', '$schema', 'title'])

/** An outline of a result schema: whatever matches the full schema matches the outline. */
export function outline(schema: unknown, depth = 3): Record<string, unknown> {
  if (!isRecord(schema)) return {}
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KEPT.has(keyword)) continue
    if (keyword === 'type' || keyword === 'enum' || keyword === 'const') kept[keyword] = value
    else if (depth === 0) continue
    else if (keyword === 'properties' && isRecord(value)) kept[keyword] = mapValues(value, depth)
    else if (keyword === 'anyOf' && Array.isArray(value)) kept[keyword] = value.map((each) => outline(each, depth))
    else if (isRecord(value)) kept[keyword] = outline(value, depth - 1)
  }
  return kept
}

function mapValues(properties: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, outline(value, depth - 1)]))
}

/** An input schema without documentation-only parts. */
export function withoutExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExamples)
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (DROPPED.has(keyword)) return []
      // Names of properties are not keywords.
      if (keyword === 'properties' && isRecord(value)) {
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, of]) => [name, withoutExamples(of)]))]]
      }
      return [[keyword, keyword === 'enum' || keyword === 'const' ? value : withoutExamples(value)]]
    }),
  )
}
