import { coreError } from '../errors/codes.js'
import { quote } from '../errors/quote.js'
import { isId } from '../ids.js'
import { isDeleted } from '../lifecycle/delete-minion.js'
import { RelationGraph } from '../relations/relation-graph.js'
import { chainTo } from '../relations/traverse.js'
import type { Minion } from '../schemas/minion.js'
import { RELATION_TYPES, type Relation, type RelationType } from '../schemas/relation.js'
import type { Where } from '../storage/query.js'
import { minionsCollection } from './collections.js'
import { readCurrent } from './evolving.js'
import { findRelations } from './links.js'
import type { Session } from './session.js'

export interface TraversalOptions {
  /** Include soft-deleted minions; otherwise they, and minions reachable only through them, are left out. */
  readonly includeDeleted?: boolean
}

/** The targets of relations from a set of minions: one query for a whole level. */
type Step = (ids: readonly string[]) => Promise<readonly Relation[]>

/** The minions one step away, in the order of their relations. */
export async function neighbours(
  session: Session,
  id: string,
  step: 'children' | 'parents' | 'network',
  options: TraversalOptions,
): Promise<Minion[]> {
  if (!(await isThere(session, id, options))) return []
  const relations = await findRelations(session.store, oneStep(step, [id]))
  return load(session, otherEnds(relations, new Set([id])), options)
}

/** All reachable minions, nearest first. One query for relations and one for minions per level. */
export async function reachable(
  session: Session,
  id: string,
  step: 'children' | 'parents',
  options: TraversalOptions,
): Promise<Minion[]> {
  if (!(await isThere(session, id, options))) return []
  const ask: Step = (ids) => findRelations(session.store, oneStep(step, ids))
  const reached: Minion[] = []
  for await (const level of levels(session, id, ask, options)) reached.push(...level.map(({ minion }) => minion))
  return reached
}

/** A shortest chain from one minion to another, both included, along relations of any type; empty when there is none. */
export async function pathBetween(
  session: Session,
  fromId: string,
  toId: string,
  options: TraversalOptions,
): Promise<Minion[]> {
  const [from] = isId(fromId) ? await load(session, [fromId], options) : []
  if (!from || fromId === toId) return from ? [from] : []
  const reachedFrom = new Map<string, string>()
  const minions = new Map<string, Minion>([[fromId, from]])
  const ask: Step = (ids) => findRelations(session.store, { sourceId: { in: ids } })
  for await (const level of levels(session, fromId, ask, options)) {
    for (const { minion, previousId } of level) {
      minions.set(minion.id, minion)
      reachedFrom.set(minion.id, previousId)
    }
    if (minions.has(toId)) return chainTo(toId, reachedFrom).map((id) => minions.get(id) as Minion)
  }
  return []
}

/** The minions connected by relations of one type, each after its dependencies. Throws `CYCLE`. */
export async function inOrder(session: Session, type: RelationType, options: TraversalOptions): Promise<Minion[]> {
  if (!RELATION_TYPES.includes(type)) {
    throw coreError('INVALID_QUERY', `${quote(type)} is not a relation type; use one of ${RELATION_TYPES.join(', ')}.`)
  }
  const graph = new RelationGraph()
  for (const relation of await findRelations(session.store, { type })) graph.add(relation)
  return load(session, graph.topologicalOrder(type), options)
}

function oneStep(step: 'children' | 'parents' | 'network', ids: readonly string[]): Where {
  if (step === 'children') return { sourceId: { in: ids }, type: 'parent_of' }
  if (step === 'parents') return { targetId: { in: ids }, type: 'parent_of' }
  return { or: [{ sourceId: { in: ids } }, { targetId: { in: ids } }] }
}

/** Walks outwards level by level, visiting each minion once. */
async function* levels(session: Session, startId: string, ask: Step, options: TraversalOptions) {
  const seen = new Set([startId])
  let frontier: readonly string[] = [startId]
  while (frontier.length > 0) {
    const relations = await ask(frontier)
    const previous = new Map<string, string>()
    for (const { sourceId, targetId } of relations) {
      const [near, far] = seen.has(targetId) ? [targetId, sourceId] : [sourceId, targetId]
      if (!seen.has(far) && !previous.has(far)) previous.set(far, near)
    }
    for (const id of previous.keys()) seen.add(id)
    const minions = await load(session, [...previous.keys()], options)
    if (minions.length > 0) yield minions.map((minion) => ({ minion, previousId: previous.get(minion.id) as string }))
    frontier = minions.map((minion) => minion.id)
  }
}

function otherEnds(relations: readonly Relation[], here: ReadonlySet<string>): string[] {
  const ends = relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId])
  return [...new Set(ends)].filter((id) => !here.has(id))
}

/** A minion that does not exist or, unless included, is deleted reaches nothing. */
async function isThere(session: Session, id: string, options: TraversalOptions): Promise<boolean> {
  return isId(id) && (await load(session, [id], options)).length > 0
}

/**
 * Minions in the order of the ids; those that do not exist here, such as targets of `integration_link`, are left out.
 */
async function load(
  session: Session,
  ids: readonly string[],
  { includeDeleted = false }: TraversalOptions,
): Promise<Minion[]> {
  if (ids.length === 0) return []
  const { items } = await readCurrent(session, async (reader) => {
    const found = await reader.getMany(minionsCollection, ids)
    return { items: found.flatMap((revised) => (revised ? [revised.record] : [])) }
  })
  return items.filter((minion) => includeDeleted || !isDeleted(minion))
}
