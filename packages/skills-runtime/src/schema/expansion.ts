import { hasUnevaluated, type Normalized, targetOf } from './normalize.js'
import { allSubschemas, subschemas } from './subschemas.js'

/** How many schemas may have to be tried against one value. */
const MAX_EXPANSION = 10_000

/**
 * Looks for what would keep a validator busy without end: a schema that refers to itself without going into the value,
 * or references that fan out until one value has to be tried against an enormous number of schemas.
 */
export function expansionProblem(root: Normalized): string | undefined {
  const sizes = new Map<object, number>()
  const tried = new Map<object, number>()
  const active = new Set<object>()

  const inPlace = (schema: Record<string, unknown>) => {
    const target = targetOf(root, schema)
    const parts = subschemas(schema, '').flatMap((child) => (child.place === 'same' ? [child.schema] : []))
    return target === undefined ? parts : [...parts, target]
  }
  const size = (schema: Record<string, unknown>): number => {
    const known = sizes.get(schema)
    if (known !== undefined) return known
    if (active.has(schema)) return Number.POSITIVE_INFINITY
    active.add(schema)
    let total = 1
    for (const part of inPlace(schema)) total += size(part)
    active.delete(schema)
    if (hasUnevaluated(schema) && total <= MAX_EXPANSION) total += trials(schema)
    sizes.set(schema, total)
    return total
  }
  /** To know what a schema evaluated, the schemas inside it are tried once more on every level. */
  const trials = (schema: Record<string, unknown>): number => {
    let total = tried.get(schema) ?? 0
    if (total > 0) return total
    for (const part of inPlace(schema)) total += size(part) + trials(part)
    tried.set(schema, total)
    return total
  }

  for (const { schema } of allSubschemas(root)) {
    const total = size(schema)
    if (total === Number.POSITIVE_INFINITY)
      return 'refers to itself without going into the value, so checking never ends'
    if (total > MAX_EXPANSION) return `makes more than ${MAX_EXPANSION} schemas apply to one value`
  }
  return undefined
}
