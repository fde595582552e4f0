import { cyclesOf } from '../coordination/cycles.js'
import { topologicalOrder as orderOf } from '../coordination/digraph.js'
import { coreError } from '../errors/codes.js'
import type { Relation, RelationType } from '../schemas/relation.js'

/** A longer list of cycles among entangled minions helps no one. */
const MAX_CYCLES_PER_COMPONENT = 100

/** Relations that point backwards in time: the source depends on the target, which therefore comes first. */
const TARGET_FIRST: ReadonlySet<RelationType> = new Set<RelationType>([
  'depends_on',
  'follows',
  'implements',
  'inspired_by',
  'part_of',
  'references',
])

/** See `RelationGraph.findCycles`. */
export function findCycles(relations: Iterable<Readonly<Relation>>): string[][] {
  const { ids, targets, edges } = digraphOf(relations)
  return Array.from(cyclesOf(targets, { most: MAX_CYCLES_PER_COMPONENT, edges }), (cycle) => namesOf(cycle, ids))
}

/** See `RelationGraph.topologicalOrder`. */
export function topologicalOrder(relations: Iterable<Readonly<Relation>>, type: RelationType): string[] {
  const all = [...relations]
  const { ids, targets } = digraphOf(all, TARGET_FIRST.has(type))
  const order = orderOf(targets)
  if (order.length === ids.length) return namesOf(order, ids)
  const [cycle = []] = findCycles(all)
  const path = [...cycle, ...cycle.slice(0, 1)]
  throw coreError('CYCLE', `The ${type} relations cannot be ordered because they contain a cycle: ${describe(path)}.`, {
    details: { type, path },
  })
}

/** Relations as edges between numbers; `ids` are the minions in order of first mention. */
function digraphOf(relations: Iterable<Readonly<Relation>>, reversed = false) {
  const numbers = new Map<string, number>()
  const targets: number[][] = []
  const edges: [number, number][] = []
  const numberOf = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, targets.length)
    return targets.push([]) - 1
  }
  for (const { sourceId, targetId } of relations) {
    const source = numberOf(reversed ? targetId : sourceId)
    const target = numberOf(reversed ? sourceId : targetId)
    // A self-relation neither forms a cycle nor prevents an order.
    if (source === target) continue
    targets[source]?.push(target)
    edges.push([source, target])
  }
  return { ids: [...numbers.keys()], targets, edges }
}

function namesOf(nodes: readonly number[], ids: readonly string[]): string[] {
  return nodes.map((node) => ids[node] as string)
}

function describe(path: readonly string[]): string {
  return path.length <= 12 ? path.join(' → ') : `${path.slice(0, 10).join(' → ')} → … (${path.length - 1} minions)`
}
