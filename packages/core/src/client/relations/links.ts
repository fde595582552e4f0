import { coreError } from '../../errors/codes.js'
import { quote } from '../../errors/quote.js'
import { isId } from '../../ids.js'
import { isDeleted } from '../../lifecycle/delete-minion.js'
import { createRelation } from '../../relations/validate-relation.js'
import type { Minion } from '../../schemas/minion.js'
import type { CreateRelationInput, Relation, RelationType } from '../../schemas/relation.js'
import type { StoreReader, StoreTransaction } from '../../storage/access.js'
import type { Where } from '../../storage/query.js'
import { readClock } from '../../time/clock.js'
import { minionsCollection, relationsCollection } from '../collections.js'
import { notFound } from '../errors.js'
import { currentMinion, storedMinion } from '../objects/objects.js'
import { announce, type By, type Session } from '../session.js'

/** Maximum number of records in one query; traversals query once per level, not once per page. */
const MANY = 100_000

const DIRECTIONS = ['outgoing', 'incoming', 'both'] as const

export interface RelationsOptions {
  /** `outgoing`: the minion is the source; `incoming`: the target; default `both`. */
  readonly direction?: (typeof DIRECTIONS)[number]
  readonly type?: RelationType
  /** Relations whose metadata has this `label`. */
  readonly label?: string
  /** Include relations with a soft-deleted end. */
  readonly includeDeleted?: boolean
}

export function link(session: Session, input: CreateRelationInput, { by }: By): Promise<Relation> {
  return session.store.transaction(async (tx) => {
    const relation = createRelation(
      by === undefined ? input : { ...input, createdBy: by },
      session.clock,
      session.generateId,
    )
    await checkChildType(session, tx, relation)
    const revision = await tx.put(relationsCollection, relation, { ifAbsent: true })
    await session.onLink?.(relation, tx)
    announce(session, tx, 'relation.created', { record: relation, revision, by })
    return relation
  })
}

export function unlink(session: Session, id: string, { by }: By): Promise<Relation> {
  return session.store.transaction(async (tx) => {
    const found = isId(id) ? await tx.getRevised(relationsCollection, id) : undefined
    if (!found) throw notFound('relation', id)
    await tx.delete(relationsCollection, id, { ifRevision: found.revision })
    await session.onUnlink?.(found.record, tx)
    announce(session, tx, 'relation.removed', { ...found, by })
    return found.record
  })
}

export function hardDeleteOne(session: Session, id: string, { by }: By): Promise<Minion> {
  return session.store.transaction(async (tx) => {
    const { record, revision, stored } = await currentMinion(session, tx, await storedMinion(tx, id))
    const where: Where = { or: [{ sourceId: id }, { targetId: id }] }
    for await (const relation of tx.iterate(relationsCollection, { where })) {
      await tx.delete(relationsCollection, relation.record.id)
      await session.onUnlink?.(relation.record, tx)
      announce(session, tx, 'relation.removed', { ...relation, by })
    }
    await tx.delete(minionsCollection, id, { ifRevision: revision })
    const change = { kind: 'purged', minionId: id, before: stored, after: undefined } as const
    await session.onChange?.({ ...change, at: readClock(session.clock), by }, tx)
    announce(session, tx, 'minion.purged', { record, revision, by })
    return record
  })
}

/** The relations of a minion by creation time; ties are ordered by id. */
export async function relationsOf(session: Session, id: string, options: RelationsOptions): Promise<Relation[]> {
  const { direction = 'both', type, label, includeDeleted = false } = options
  if (!DIRECTIONS.includes(direction)) {
    throw coreError(
      'INVALID_QUERY',
      `${quote(direction)} is not a direction of a relation; use one of ${DIRECTIONS.join(', ')}.`,
    )
  }
  const ends: Where[] = []
  if (direction !== 'incoming') ends.push({ sourceId: id })
  if (direction !== 'outgoing') ends.push({ targetId: id })
  const relations = await findRelations(session.store, {
    or: ends,
    ...(type !== undefined && { type }),
    ...(label !== undefined && { 'metadata.label': label }),
  })
  return includeDeleted ? relations : withoutDeleted(session.store, relations)
}

export async function findRelations(store: StoreReader, where: Where): Promise<Relation[]> {
  const relations: Relation[] = []
  for await (const { record } of store.iterate(relationsCollection, { where, limit: MANY })) relations.push(record)
  return relations
}

/** The relations neither end of which is soft-deleted. */
export async function withoutDeleted(store: StoreReader, relations: Relation[]): Promise<Relation[]> {
  if (relations.length === 0) return relations
  const ends = [...new Set(relations.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
  const found = await store.getMany(minionsCollection, ends)
  const deleted = new Set(ends.filter((_, index) => found[index] && isDeleted(found[index].record)))
  return relations.filter(({ sourceId, targetId }) => !deleted.has(sourceId) && !deleted.has(targetId))
}

/** A type may restrict the types of its children, except for a minion itself; `part_of` inverts `parent_of`. */
async function checkChildType(session: Session, tx: StoreTransaction, relation: Relation): Promise<void> {
  if (relation.type !== 'parent_of' && relation.type !== 'part_of') return
  if (relation.sourceId === relation.targetId) return
  const [parentId, childId] =
    relation.type === 'parent_of' ? [relation.sourceId, relation.targetId] : [relation.targetId, relation.sourceId]
  const [parent, child] = await tx.getMany(minionsCollection, [parentId, childId])
  // The store itself refuses a relation whose ends do not exist.
  if (!parent || !child) return
  const allowed = session.types.find(parent.record.minionTypeId)?.allowedChildTypes
  if (!allowed || allowed.includes(child.record.minionTypeId)) return
  const message = 'relates a child whose type is not allowed'
  throw coreError(
    'VALIDATION_FAILED',
    `A minion of type "${parent.record.minionTypeId}" cannot have a child of type "${child.record.minionTypeId}"; allowed types: ${allowed.join(', ') || 'none'}.`,
    { details: { errors: [{ pointer: '/type', code: 'allowedChildTypes', message, received: relation.type }] } },
  )
}
