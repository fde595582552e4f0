import { coreError } from '../../errors/codes.js'
import { quote } from '../../errors/quote.js'
import { isId } from '../../ids.js'
import { isDeleted } from '../../lifecycle/delete-minion.js'
import { RelationGraph } from '../../relations/relation-graph.js'
import { chainTo } from '../../relations/traverse.js'
import type { Minion } from '../../schemas/minion.js'
import { RELATION_TYPES, type RelationType } from '../../schemas/relation.js'
import type { Where } from '../../storage/query.js'
import { minionsCollection } from '../collections.js'
import { readCurrent } from '../evolution/evolving.js'
import type { Session } from '../session.js'
import { findRelations } from './links.js'

export interface TraversalOptions {
  /** Include soft-deleted minions; otherwise they, and minions reachable only through them, are left out. */
  readonly includeDeleted?: boolean
}

/** Selects the relations from a set of minions: one query for a whole level. */
type Step = (ids: readonly string[]) => Where

const STEPS = {
  children: (ids) => ({ sourceId: { in: ids }, type: 'parent_of' }),
  parents: (ids) => ({ targetId: { in: ids }, type: 'parent_of' }),
  network: (ids) => ({ or: [{ sourceId: { in: ids } }, { targetId: { in: ids } }] }),
} as const satisfies Record<string, Step>

/** The minions at most so many steps away, nearest first and in the order of their relations. */
export async function reachable(
  session: Session,
  id: string,
  step: keyof typeof STEPS,
  options: TraversalOptions,
  steps = Number.POSITIVE_INFINITY,
): Promise<Minion[]> {
  const reached: Minion[] = []
  if (!isId(id) || (await load(session, [id], options)).length === 0) return reached
  let left = steps
  for await (const level of levels(session, id, STEPS[step], options)) {
    for (const { minion } of level) reached.push(minion)
    if (--left === 0) break
  }
  return reached
}

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
  for await (const level of levels(session, fromId, (ids) => ({ sourceId: { in: ids } }), options)) {
    for (const { minion, previousId } of level) {
      minions.set(minion.id, minion)
      reachedFrom.set(minion.id, previousId)
    }
    if (minions.has(toId)) return chainTo(toId, reachedFrom).map((id) => minions.get(id) as Minion)
  }
  return []
}

export async function inOrder(session: Session, type: RelationType, options: TraversalOptions): Promise<Minion[]> {
  if (!RELATION_TYPES.includes(type)) {
    throw coreError('INVALID_QUERY', `${quote(type)} is not a relation type; use one of ${RELATION_TYPES.join(', ')}.`)
  }
  const graph = new RelationGraph()
  for (const relation of await findRelations(session.store, { type })) graph.add(relation)
  return load(session, graph.topologicalOrder(type), options)
}

/** Walks outwards level by level, visiting each minion once: a query for relations and one for minions per level. */
async function* levels(session: Session, startId: string, step: Step, options: TraversalOptions) {
  const seen = new Set([startId])
  let frontier: readonly string[] = [startId]
  while (frontier.length > 0) {
    const relations = await findRelations(session.store, step(frontier))
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

/** Minions in the order of the ids, without those that do not exist here, such as targets of `integration_link`. */
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
