import { type Normalized, targetOf } from './normalize.js'
import { type SchemaObject, subschemas } from './subschemas.js'

/** Maximum number of schemas that may have to be tried against one value. */
const MAX_EXPANSION = 10_000

/**
 * Detects schemas that would keep a validator busy for ever: a schema that refers to itself without descending into the
 * value, or references that fan out until one value has to be tried against an enormous number of schemas.
 */
export function expansionProblem(root: Normalized): string | undefined {
  const sizes = new Map<SchemaObject, number>()
  const size = (schema: SchemaObject): number => {
    const known = sizes.get(schema)
    if (known !== undefined) return known
    // Until known: if met again, it contains itself.
    sizes.set(schema, Number.POSITIVE_INFINITY)
    const target = targetOf(root, schema.$ref)
    let total = target === undefined ? 1 : 1 + size(target)
    for (const child of subschemas(schema, '', '2020-12')) if (child.location === 'same') total += size(child.schema)
    sizes.set(schema, total)
    return total
  }
  const open: SchemaObject[] = [root]
  for (const schema of open) {
    const total = size(schema)
    if (total === Number.POSITIVE_INFINITY)
      return 'refers to itself without descending into the value, so validation would never end'
    if (total > MAX_EXPANSION) return `makes more than ${MAX_EXPANSION} schemas apply to one value`
    for (const child of subschemas(schema, '', '2020-12')) open.push(child.schema)
  }
  return undefined
}
