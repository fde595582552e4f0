import { isRecord, jsonEqual } from '@minions/core/json'
import type { Node } from './node.js'

/** Nested `all`, `any` and `not` beyond this depth do not match. */
const MAX_DEPTH = 64

/** The facts that conditions are evaluated against. Node types are computed on demand and only once per evaluation. */
export class Facts {
  readonly state: Readonly<Record<string, unknown>>
  readonly nodeCount: number
  readonly #nodes: readonly Node[]
  readonly #types: string[] = []
  #seen = 0

  constructor(state: Readonly<Record<string, unknown>>, nodes: readonly Node[]) {
    this.state = state
    this.#nodes = nodes
    this.nodeCount = nodes.length
  }

  hasType(type: string): boolean {
    const types = this.#types
    const nodes = this.#nodes
    if (types.includes(type)) return true
    while (this.#seen < nodes.length) {
      const found = (nodes[this.#seen++] as Node).type
      if (!types.includes(found)) types.push(found)
      if (found === type) return true
    }
    return false
  }
}

/**
 * True if a condition holds: empty or `always`, `state_equals`, `node_count`, `node_type_exists`, and `all`, `any`,
 * `not` of others. Everything else is false.
 */
export function conditionHolds(condition: unknown, facts: Facts, depth = 0): boolean {
  if (!isRecord(condition) || depth > MAX_DEPTH) return false
  switch (condition.type ?? impliedType(condition)) {
    case 'always':
      return true
    case 'state_equals':
      return stateEquals(condition, facts.state)
    case 'node_count':
      return countHolds(facts.nodeCount, condition)
    case 'node_type_exists':
      return typeof condition.node_type === 'string' && facts.hasType(condition.node_type)
    case 'all':
      return parts(condition, 'all')?.every((part) => conditionHolds(part, facts, depth + 1)) ?? false
    case 'any':
      return parts(condition, 'any')?.some((part) => conditionHolds(part, facts, depth + 1)) ?? false
    case 'not': {
      const part = negated(condition)
      return isRecord(part) && depth < MAX_DEPTH && !conditionHolds(part, facts, depth + 1)
    }
    default:
      return false
  }
}

/** The list inside `{ type: 'all', conditions: […] }`, or inside the short form `{ all: […] }`. */
export function parts(condition: Record<string, unknown>, kind: 'all' | 'any'): readonly unknown[] | undefined {
  const list = condition.conditions ?? condition[kind]
  return Array.isArray(list) ? list : undefined
}

/** The condition inside `{ type: 'not', condition: … }`, or inside the short form `{ not: … }`. */
export function negated(condition: Record<string, unknown>): unknown {
  return condition.condition ?? condition.not
}

/** The type of a condition that does not name it: an empty one, or a short form. */
export function impliedType(condition: Record<string, unknown>): string | undefined {
  const keys = Object.keys(condition)
  if (keys.length === 0) return 'always'
  return keys.length === 1 && ['all', 'any', 'not'].includes(keys[0] as string) ? keys[0] : undefined
}

function stateEquals({ key, value }: Record<string, unknown>, state: Readonly<Record<string, unknown>>): boolean {
  if (typeof key !== 'string' || value === undefined || !Object.hasOwn(state, key)) return false
  return jsonEqual(state[key], value)
}

function countHolds(nodes: number, { count, operator = '>=' }: Record<string, unknown>): boolean {
  if (typeof count !== 'number') return false
  switch (operator) {
    case '>=':
      return nodes >= count
    case '<=':
      return nodes <= count
    case '==':
      return nodes === count
    case '>':
      return nodes > count
    case '<':
      return nodes < count
    default:
      return false
  }
}
