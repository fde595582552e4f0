import { RELATION_TYPES, type Relation, type RelationType } from '../schemas/relation.js'

/** A relation inside the graph. `order` grows with every addition, so that mixed lists can be put in that order. */
export interface Edge {
  readonly order: number
  readonly relation: Readonly<Relation>
}

type End = 'sourceId' | 'targetId'

/** The relations of one type that a minion has at one end. */
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

  /** The minions at the other ends, each once and without the minion itself; remembered until something changes. */
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

/** The relations of one type by the minion at one end. */
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

  /** The minions at the other ends, each once. The array is shared: copy it before handing it out. */
  neighbours(minionId: string): readonly string[] {
    return this.#lists.get(minionId)?.neighbours ?? []
  }
}

/** All relations by the minion at one end. What an operation costs depends on that minion's relations only. */
export class EdgeIndex {
  readonly #types: ReadonlyMap<RelationType, TypeIndex>

  constructor(near: End) {
    this.#types = new Map(RELATION_TYPES.map((type) => [type, new TypeIndex(near)]))
  }

  /** The part for one type, which lives as long as the whole. */
  ofType(type: RelationType): TypeIndex {
    return this.#types.get(type) as TypeIndex
  }

  /** The relations of one or all types, in the order in which they were added. */
  edges(minionId: string, type?: RelationType): Edge[] {
    if (type !== undefined) return [...(this.#types.get(type)?.edges(minionId) ?? [])]
    const edges = Array.from(this.#types.values(), (index) => [...index.edges(minionId)]).flat()
    return edges.sort((a, b) => a.order - b.order)
  }

  /** The minions at the other ends of relations of any type; one may occur several times. */
  *neighbours(minionId: string): Iterable<string> {
    for (const index of this.#types.values()) yield* index.neighbours(minionId)
  }
}
