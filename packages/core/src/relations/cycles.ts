import type { Relation } from '../schemas/relation.js'
import { stronglyConnected } from './components.js'
import { type Digraph, digraphOf } from './digraph.js'

/** Minions that all lead to one another can form exponentially many cycles; more than this many help nobody. */
const MAX_CYCLES_PER_COMPONENT = 100

/** See `RelationGraph.findCycles`. */
export function findCycles(relations: Iterable<Readonly<Relation>>): string[][] {
  return [...cyclesOf(digraphOf(relations))]
}

/** Lists cycles until every edge that lies on one is on one that was listed. */
export function* cyclesOf(graph: Digraph): Generator<string[]> {
  const component = stronglyConnected(graph)
  const found = new Map<number, number>()
  const covered = new Set<number>()
  const edgeKey = (source: number, target: number) => source * graph.ids.length + target
  const findPath = pathFinder(graph, component)

  for (const [source, target] of graph.edges) {
    const inside = component[source] as number
    const already = found.get(inside) ?? 0
    if (inside !== component[target] || already === MAX_CYCLES_PER_COMPONENT) continue
    if (covered.has(edgeKey(source, target))) continue
    found.set(inside, already + 1)
    const cycle = [source, ...findPath(target, source)]
    for (let index = 1; index < cycle.length; index++) {
      covered.add(edgeKey(cycle[index - 1] as number, cycle[index] as number))
    }
    cycle.pop()
    yield cycle.map((node) => graph.ids[node] as string)
  }
}

/** Finds shortest paths inside a component, where there always is one. The scratch space is shared by all searches. */
function pathFinder({ targets }: Digraph, component: Int32Array): (start: number, end: number) => number[] {
  const cameFrom = new Int32Array(targets.length)
  const seenIn = new Int32Array(targets.length)
  let search = 0
  return (start, end) => {
    seenIn[start] = ++search
    const queue = [start]
    for (const node of queue) {
      if (node === end) break
      for (const next of targets[node] ?? []) {
        if (seenIn[next] === search || component[next] !== component[start]) continue
        seenIn[next] = search
        cameFrom[next] = node
        queue.push(next)
      }
    }
    const path = [end]
    for (let node = end; node !== start; ) {
      node = cameFrom[node] as number
      path.push(node)
    }
    return path.reverse()
  }
}
