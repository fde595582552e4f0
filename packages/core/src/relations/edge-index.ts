import { RELATION_TYPES, type Relation, type RelationType } from '../schemas/relation.js'

/** A relation inside the graph. `order` grows with every addition, so that merged lists can be sorted by it. */
export interface Edge {
  readonly order: number
  readonly relation: Readonly<Relation>
}

type End = 'sourceId' | 'targetId'

/** The relations of one type that a minion has on one side. */
class EdgeList {
  readonly edges = new Set<Edge>()
  readonly #far: End
  #neighbours: readonly string[] | undefined

  constructor(far: End) {
    this.#far = far
  }

  add(edge: Edge): void {
    this.edges.add(edge)
    this.#neighbours = undefined
  }

  delete(edge: Edge): void {
    this.edges.delete(edge)
    this.#neighbours = undefined
  }

  /** The minions on the other side, each once and without the minion itself; cached until something changes. */
  get neighbours(): readonly string[] {
    this.#neighbours ??= this.#collect()
    return this.#neighbours
  }

  #collect(): readonly string[] {
    const ids = new Set<string>()
    for (const { relation } of this.edges) {
      if (relation.sourceId !== relation.targetId) ids.add(relation[this.#far])
    }
    return [...ids]
  }
}

/** The relations of one type, by the minion on one side. */
export class TypeIndex {
  readonly #lists = new Map<string, EdgeList>()
  readonly #near: End

  constructor(near: End) {
    this.#near = near
  }

  add(edge: Edge): void {
    const id = edge.relation[this.#near]
    let list = this.#lists.get(id)
    if (list === undefined) {
      list = new EdgeList(this.#near === 'sourceId' ? 'targetId' : 'sourceId')
      this.#lists.set(id, list)
    }
    list.add(edge)
  }

  delete(edge: Edge): void {
    const id = edge.relation[this.#near]
    const list = this.#lists.get(id)
    list?.delete(edge)
    if (list?.edges.size === 0) this.#lists.delete(id)
  }

  edges(minionId: string): Iterable<Edge> {
    return this.#lists.get(minionId)?.edges ?? []
  }

  /** The minions on the other side, each once. The array is shared: copy it before handing it out. */
  neighbours(minionId: string): readonly string[] {
    return this.#lists.get(minionId)?.neighbours ?? []
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
