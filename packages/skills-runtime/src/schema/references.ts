import { isRecord, own } from '../validation.js'
import { allSubschemas, subschemas } from './subschemas.js'

/** Finds what a `$ref` of a schema points to, inside that schema only. */
export type ResolveReference = (ref: string) => Record<string, unknown> | undefined

/** Indexes the `$id`s and anchors of a schema so that its local references can be followed. */
export function referenceResolver(root: Record<string, unknown>): ResolveReference {
  const named = new Map<string, Record<string, unknown>>()
  for (const { schema } of allSubschemas(root)) {
    const id = own(schema, '$id')
    if (typeof id === 'string') named.set(id, schema)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = own(schema, keyword)
      if (typeof anchor === 'string') named.set(`#${anchor}`, schema)
    }
  }
  return (ref) => {
    if (ref === '#' || ref === '') return root
    if (ref.startsWith('#/')) return atPointer(root, ref.slice(1))
    const target = named.get(ref)
    if (target !== undefined) return target
    const hash = ref.indexOf('#')
    const base = hash > 0 ? named.get(ref.slice(0, hash)) : undefined
    return base && atPointer(base, ref.slice(hash + 1))
  }
}

function atPointer(root: Record<string, unknown>, pointer: string): Record<string, unknown> | undefined {
  let at: unknown = root
  for (const part of pointer.split('/').slice(1)) {
    let key = part
    try {
      key = decodeURIComponent(part)
    } catch {
      // A stray percent sign stands for itself.
    }
    if (typeof at !== 'object' || at === null) return undefined
    at = own(at, key.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return isRecord(at) ? at : undefined
}

/** How many schemas may have to be tried against one value. */
const MAX_EXPANSION = 10_000

/**
 * Looks for what would keep a validator busy without end: a schema that refers to itself without going into the value,
 * or references that fan out until one value has to be tried against an enormous number of schemas.
 */
export function expansionProblem(root: Record<string, unknown>): string | undefined {
  const resolve = referenceResolver(root)
  const sizes = new Map<object, number>()
  const active = new Set<object>()

  const size = (schema: Record<string, unknown>): number => {
    const known = sizes.get(schema)
    if (known !== undefined) return known
    if (active.has(schema)) return Number.POSITIVE_INFINITY
    active.add(schema)
    let total = 1
    for (const child of subschemas(schema, '')) if (child.place === 'same') total += size(child.schema)
    for (const keyword of ['$ref', '$dynamicRef']) {
      const ref = own(schema, keyword)
      const target = typeof ref === 'string' ? resolve(ref) : undefined
      if (target !== undefined) total += size(target)
    }
    active.delete(schema)
    sizes.set(schema, total)
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
