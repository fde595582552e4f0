import type { Relation } from '../schemas/relation.js'

/** Relations with minions as numbers, for algorithms that visit all of them. Self-relations are no edges. */
export interface Digraph {
  /** The minions, in the order in which the relations name them. */
  readonly ids: readonly string[]
  /** Source and target of every edge, in the order of the relations. */
  readonly edges: readonly (readonly [source: number, target: number])[]
  /** The targets of every minion's edges. */
  readonly targets: readonly (readonly number[])[]
}

/** Builds a digraph; `reversed` turns every edge round. */
export function digraphOf(relations: Iterable<Readonly<Relation>>, reversed = false): Digraph {
  const numbers = new Map<string, number>()
  const edges: [number, number][] = []
  const targets: number[][] = []
  const numberOf = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, targets.length)
    return targets.push([]) - 1
  }
  for (const { sourceId, targetId } of relations) {
    const source = numberOf(reversed ? targetId : sourceId)
    const target = numberOf(reversed ? sourceId : targetId)
    if (source === target) continue
    edges.push([source, target])
    targets[source]?.push(target)
  }
  return { ids: [...numbers.keys()], edges, targets }
}
