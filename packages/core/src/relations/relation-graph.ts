import { coreError } from '../errors/codes.js'
import { guardMethods } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'
import { generateId, type IdSource } from '../ids.js'
import { cloneJson } from '../json/clone.js'
import type { CreateRelationInput, Relation, RelationType } from '../schemas/relation.js'
import type { Clock } from '../time/clock.js'
import { findCycles, topologicalOrder } from './cycles-and-order.js'
import { type Edge, EdgeIndex } from './edge-index.js'
import { reach, shortestPath } from './traverse.js'
import { createRelation } from './validate-relation.js'

export interface RelationGraphOptions {
  /** Clock for `createdAt`. Default: the system clock. */
  readonly clock?: Clock
  /** Generator for ids of new relations. Default: UUID v4. */
  readonly generateId?: IdSource
}

/**
 * Relations between minions, indexed from both ends: the cost of lookups, traversals and removals depends only on what
 * they touch. Repeated relations, cycles and self-relations are stored and listed; a traversal never repeats a minion,
 * never returns its start and ignores self-relations. Everything returned is a copy.
 */
export class RelationGraph {
  readonly #clock: Clock
  readonly #generateId: IdSource
  readonly #edges = new Map<string, Edge>()
  readonly #outgoing = new EdgeIndex('sourceId')
  readonly #incoming = new EdgeIndex('targetId')
  readonly #children = this.#outgoing.ofType('parent_of')
  readonly #parents = this.#incoming.ofType('parent_of')
  #order = 0

  constructor(options: RelationGraphOptions = {}) {
    const taken = takeOptions('The options of a relation graph', options)
    this.#clock = taken.clock ?? Date.now
    this.#generateId = taken.generateId ?? generateId
  }

  /** Adds a relation. Throws `VALIDATION_FAILED` when it is malformed and `UNIQUE_VIOLATION` when its id is taken. */
  add(input: CreateRelationInput): Relation {
    const relation = createRelation(takeOptions('A relation', input), this.#clock, this.#generateId)
    if (this.#edges.has(relation.id)) {
      throw coreError('UNIQUE_VIOLATION', `The graph already has a relation ${relation.id}; remove it first.`, {
        details: { id: relation.id },
      })
    }
    const edge: Edge = { order: this.#order++, relation }
    this.#edges.set(relation.id, edge)
    this.#outgoing.ofType(relation.type).add(edge)
    this.#incoming.ofType(relation.type).add(edge)
    return copyRelation(edge)
  }

  /** Removes one relation; false when there is none with this id. */
  remove(id: string): boolean {
    const edge = this.#edges.get(id)
    if (edge === undefined) return false
    this.#edges.delete(id)
    this.#outgoing.ofType(edge.relation.type).delete(edge)
    this.#incoming.ofType(edge.relation.type).delete(edge)
    return true
  }

  /** Removes every relation that begins or ends at a minion, and returns their number. */
  removeByMinionId(minionId: string): number {
    let removed = 0
    for (const edge of [...this.#outgoing.edges(minionId), ...this.#incoming.edges(minionId)]) {
      // A self-relation is in both lists and is already gone the second time.
      if (this.remove(edge.relation.id)) removed++
    }
    return removed
  }

  get(id: string): Relation | undefined {
    const edge = this.#edges.get(id)
    return edge && copyRelation(edge)
  }

  /** All relations, in insertion order. */
  list(): Relation[] {
    return Array.from(this.#edges.values(), copyRelation)
  }

  /** The relations that begin at a minion, in insertion order. */
  getFromSource(minionId: string, type?: RelationType): Relation[] {
    return this.#outgoing.edges(minionId, type).map(copyRelation)
  }

  /** The relations that end at a minion, in insertion order. */
  getToTarget(minionId: string, type?: RelationType): Relation[] {
    return this.#incoming.edges(minionId, type).map(copyRelation)
  }

  /** The minions that this one is `parent_of`. */
  getChildren(minionId: string): string[] {
    return this.#children.neighbours(minionId).slice()
  }

  /** The minions that are `parent_of` this one. */
  getParents(minionId: string): string[] {
    return this.#parents.neighbours(minionId).slice()
  }

  /** All descendants through `parent_of`, nearest first. */
  getTree(minionId: string): string[] {
    return reach(minionId, (id) => this.#children.neighbours(id))
  }

  /** All ancestors through `parent_of`, nearest first. */
  ancestors(minionId: string): string[] {
    return reach(minionId, (id) => this.#parents.neighbours(id))
  }

  /** The direct neighbours of a minion, through relations of any type, in either direction. */
  getNetwork(minionId: string): string[] {
    return [...new Set([...this.#outgoing.neighbours(minionId), ...this.#incoming.neighbours(minionId)])]
  }

  /**
   * A shortest chain of minions from one to another, both included, following relations of any type from source to
   * target. Empty when there is none; a minion's path to itself is that minion alone.
   */
  path(fromId: string, toId: string): string[] {
    return shortestPath(fromId, toId, (id) => this.#outgoing.neighbours(id))
  }

  /**
   * The cycles formed by relations of one type, each once, as the ids along it from source to target (the first is not
   * repeated at the end). Every relation that lies on a cycle lies on one of those returned, and that one is as short
   * as possible; at most 100 cycles are listed for heavily entangled minions.
   */
  findCycles(type: RelationType): string[][] {
    return findCycles(this.#relationsOf(type))
  }

  /**
   * The minions connected by relations of one type, each after its dependencies: parents before children, dependencies
   * before dependents, step 1 before the step 2 that follows it. Throws `CYCLE`, with the cycle in `details.path`, when
   * there is no such order. Minions without such a relation are not listed.
   */
  topologicalOrder(type: RelationType): string[] {
    return topologicalOrder(this.#relationsOf(type), type)
  }

  *#relationsOf(type: RelationType): Iterable<Readonly<Relation>> {
    for (const { relation } of this.#edges.values()) {
      if (relation.type === type) yield relation
    }
  }
}

// They look up a key, which anything may be, and copy a list.
guardMethods(RelationGraph, { except: ['getChildren', 'getParents'] })

function copyRelation({ relation }: Edge): Relation {
  const copy = { ...relation }
  if (typeof copy.metadata === 'object') copy.metadata = cloneJson(copy.metadata)
  return copy
}
