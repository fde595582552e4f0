import jsonDiff from 'json-diff'

/** Beyond this many values the library's matching of list elements would take too long; whole values are shown then. */
const MAX_VALUES = 2_000
const MAX_DEPTH = 64

/**
 * How one object or list became another, as text in which `-` and `+` mark what went and what came. Undefined when the
 * values are not both objects or both lists, or cannot be compared in detail.
 */
export function describeStructureChange(from: unknown, to: unknown, colored = false): string | undefined {
  if (!isStructure(from) || !isStructure(to) || Array.isArray(from) !== Array.isArray(to)) return undefined
  const budget = { values: MAX_VALUES }
  const before = detach(from, budget, 0)
  const after = detach(to, budget, 0)
  if (before === undefined || after === undefined) return undefined
  return jsonDiff.diffString(before, after, { color: colored }).trimEnd() || undefined
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * A copy whose objects have no prototype, because the library asks with `in`, and without the texts and names it
 * reserves for itself. Undefined when the value is too large, too deep or uses a reserved one.
 */
function detach(value: unknown, budget: { values: number }, depth: number): unknown {
  if (--budget.values < 0 || depth > MAX_DEPTH) return undefined
  if (typeof value === 'string') return value.startsWith('__$!SCALAR') || value === '__next' ? undefined : value
  if (!isStructure(value)) return value
  if (Array.isArray(value)) {
    const copy = value.map((element) => detach(element ?? null, budget, depth + 1))
    return copy.includes(undefined) ? undefined : copy
  }
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, property] of Object.entries(value)) {
    if (property === undefined) continue
    if (key === '__proto__' || /__(?:old|new|added|deleted)$/.test(key)) return undefined
    copy[key] = detach(property, budget, depth + 1)
    if (copy[key] === undefined) return undefined
  }
  return copy
}
