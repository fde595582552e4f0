import { coreError } from '../errors/codes.js'
import type { Relation, RelationType } from '../schemas/relation.js'
import { cyclesOf } from './cycles.js'
import { type Digraph, digraphOf } from './digraph.js'

/** Relations that read backwards in time: their source builds on their target, which therefore comes first. */
const TARGET_FIRST: ReadonlySet<RelationType> = new Set<RelationType>([
  'depends_on',
  'follows',
  'implements',
  'inspired_by',
  'part_of',
  'references',
])

/** See `RelationGraph.topologicalOrder`. */
export function topologicalOrder(relations: Iterable<Readonly<Relation>>, type: RelationType): string[] {
  const all = [...relations]
  const graph = digraphOf(all, TARGET_FIRST.has(type))
  const order = kahn(graph)
  if (order.length < graph.ids.length) {
    const [cycle = []] = cyclesOf(digraphOf(all))
    const path = [...cycle, ...cycle.slice(0, 1)]
    throw coreError('CYCLE', `The ${type} relations have no order because of a cycle: ${describe(path)}.`, {
      details: { type, path },
    })
  }
  return order.map((node) => graph.ids[node] as string)
}

/** Kahn's algorithm: a minion is placed once everything before it is. What lies on a cycle is left out. */
function kahn({ edges, targets }: Digraph): number[] {
  const waitingFor = new Int32Array(targets.length)
  for (const [, target] of edges) waitingFor[target] = (waitingFor[target] as number) + 1
  const order = [...targets.keys()].filter((node) => waitingFor[node] === 0)
  for (const node of order) {
    for (const target of targets[node] ?? []) {
      waitingFor[target] = (waitingFor[target] as number) - 1
      if (waitingFor[target] === 0) order.push(target)
    }
  }
  return order
}

function describe(path: readonly string[]): string {
  return path.length <= 12 ? path.join(' → ') : `${path.slice(0, 10).join(' → ')} → … (${path.length - 1} minions)`
}
