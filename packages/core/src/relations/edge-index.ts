import { RELATION_TYPES, type Relation, type RelationType } from '../schemas/relation.js'

/** A relation inside the graph. `order` grows with every addition, so that merged lists can be sorted by it. */
export interface Edge {
  readonly order: number
  readonly relation: Readonly<Relation>
}

type End = 'sourceId' | 'targetId'

/** The relations of one type that a minion has on one side, and the minions on the other until something changes. */
interface EdgeList {
  readonly edges: Set<Edge>
  neighbours: readonly string[] | undefined
}

/** The relations of one type, by the minion on one side. */
export class TypeIndex {
  readonly #lists = new Map<string, EdgeList>()
  readonly #near: End
  readonly #far: End

  constructor(near: End) {
    this.#near = near
    this.#far = near === 'sourceId' ? 'targetId' : 'sourceId'
  }

  add(edge: Edge): void {
    const id = edge.relation[this.#near]
    const list = this.#lists.get(id) ?? { edges: new Set(), neighbours: undefined }
    list.edges.add(edge)
    list.neighbours = undefined
    this.#lists.set(id, list)
  }

  delete(edge: Edge): void {
    const id = edge.relation[this.#near]
    const list = this.#lists.get(id)
    if (list === undefined) return
    list.edges.delete(edge)
    list.neighbours = undefined
    if (list.edges.size === 0) this.#lists.delete(id)
  }

  edges(minionId: string): Iterable<Edge> {
    return this.#lists.get(minionId)?.edges ?? []
  }

  /** The minions on the other side, each once and without the minion itself. The array is shared: copy it. */
  neighbours(minionId: string): readonly string[] {
    const list = this.#lists.get(minionId)
    if (list === undefined) return []
    list.neighbours ??= this.#collect(list.edges)
    return list.neighbours
  }

  #collect(edges: ReadonlySet<Edge>): readonly string[] {
    const ids = new Set<string>()
    for (const { relation } of edges) if (relation.sourceId !== relation.targetId) ids.add(relation[this.#far])
    return [...ids]
  }
}

/** All relations, by the minion on one side. The cost of an operation depends only on that minion's relations. */
export class EdgeIndex {
  readonly #types: ReadonlyMap<RelationType, TypeIndex>

  constructor(near: End) {
    this.#types = new Map(RELATION_TYPES.map((type) => [type, new TypeIndex(near)]))
  }

  /** The part for one type, which lives as long as the whole index. */
  ofType(type: RelationType): TypeIndex {
    return this.#types.get(type) as TypeIndex
  }

  /** The relations of one or all types, in insertion order. */
  edges(minionId: string, type?: RelationType): Edge[] {
    if (type !== undefined) return [...(this.#types.get(type)?.edges(minionId) ?? [])]
    const edges = Array.from(this.#types.values(), (index) => [...index.edges(minionId)]).flat()
    return edges.sort((a, b) => a.order - b.order)
  }

  /** The minions on the other side of relations of any type, possibly repeated. */
  *neighbours(minionId: string): Iterable<string> {
    for (const index of this.#types.values()) yield* index.neighbours(minionId)
  }
}
