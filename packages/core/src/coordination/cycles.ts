import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import { takeItems } from '../errors/take.js'
import { type Digraph, stronglyConnected } from './digraph.js'

/** More edges than any real graph has. */
const MOST_EDGES = 5_000_000

export interface CyclesOptions {
  /** Limit per strongly connected component, whose nodes can form exponentially many cycles. Default: no limit. */
  readonly most?: number
  /** The order in which edges are searched for cycles. Default: by node. */
  readonly edges?: Iterable<readonly [source: number, target: number]>
}

/** Lists cycles as short as possible, by their nodes in order, until every edge on a cycle is covered. */
export const cyclesOf = guarded('cyclesOf', cyclesOfUnchecked)

function* cyclesOfUnchecked(targets: Digraph, options: CyclesOptions = {}): Generator<number[]> {
  const { most = Number.POSITIVE_INFINITY, edges = edgesOf(targets) } = options
  const component = stronglyConnected(targets)
  const found = new Map<number, number>()
  const covered = new Set<number>()
  const edgeKey = (source: number, target: number) => source * targets.length + target
  const findPath = pathFinder(targets, component)

  for (const [source, target] of takeItems('The edges', edges, MOST_EDGES)) {
    const inside = component[source]
    if (inside === undefined) {
      throw coreError('VALIDATION_FAILED', `An edge begins at ${quote(source)}, which is not a node of the graph.`)
    }
    const already = found.get(inside) ?? 0
    if (inside !== component[target] || already >= most || covered.has(edgeKey(source, target))) continue
    found.set(inside, already + 1)
    const cycle = [source, ...findPath(target, source)]
    for (let index = 1; index < cycle.length; index++) {
      covered.add(edgeKey(cycle[index - 1] as number, cycle[index] as number))
    }
    cycle.pop()
    yield cycle
  }
}

function* edgesOf(targets: Digraph): Generator<readonly [number, number]> {
  for (const [source, list] of targets.entries()) for (const target of list) yield [source, target]
}

/** Finds shortest paths inside a component, where one always exists. All searches share the scratch space. */
function pathFinder(targets: Digraph, component: Int32Array): (start: number, end: number) => number[] {
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
