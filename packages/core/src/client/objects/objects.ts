import { coreError } from '../../errors/codes.js'
import { isId } from '../../ids.js'
import { createMinionUnchecked as createMinion } from '../../lifecycle/create-minion.js'
import { restoreMinion, softDelete } from '../../lifecycle/delete-minion.js'
import type { CreateMinionInput, UpdateMinionInput } from '../../lifecycle/input.js'
import type { LifecycleOptions } from '../../lifecycle/options.js'
import { updateMinion } from '../../lifecycle/update-minion.js'
import type { Minion } from '../../schemas/minion.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { Revised, StoreReader, StoreTransaction } from '../../storage/access.js'
import { isStore } from '../../storage/is-store.js'
import { newRevision } from '../../storage/revision.js'
import type { Store } from '../../storage/store.js'
import { UNGUARDED } from '../../storage/unguarded.js'
import { writeOnCondition } from '../../storage/write-batch.js'
import type { TypeName } from '../../types/type-map.js'
import { type Evolution, minionsCollection, typesCollection } from '../collections.js'
import { takeType } from '../door.js'
import { assertValid, notFound, stale } from '../errors.js'
import { evolveMinion } from '../evolution/evolve-minion.js'
import { noteEvolved, pendingEvolutions } from '../evolution/evolving.js'
import { announce, type By, type Session } from '../session.js'
import { derived } from './derive.js'

/** Options of an update. */
export interface UpdateOptions extends By {
  /** Fail with `CONFLICT` unless the minion still has this revision. */
  readonly ifRevision?: string | undefined
  /** Fail with `NOT_FOUND` unless the minion is of this type: slug, id or the type itself. */
  readonly type?: TypeName | undefined
}

/** A minion in the current shape of its type, and as stored. */
interface CurrentMinion extends Revised<Minion> {
  readonly stored: Minion
  /** The evolution that has not reached it yet. */
  readonly evolution: Evolution | undefined
}

/** A finished transaction: callbacks waiting for its commit need not wait. */
const COMMITTED = { afterCommit: (callback: () => void) => callback() }

/**
 * Creates a minion: in one conditional write if its type is known here and nothing else has to be written with it,
 * otherwise in a transaction. Neither this nor what it calls awaits: where a write takes microseconds, every promise
 * matters.
 */
export function createOne(session: Session, type: string, input: CreateMinionInput, options: By): Promise<Minion> {
  const { store, types } = session
  const known = needsMore(session) ? undefined : types.find(type)
  const inTransaction = () => createMinions(session, type, [input], options).then(([minion]) => minion as Minion)
  return known && isStore(store) ? writeOne(session, store, known, input, options, inTransaction) : inTransaction()
}

/** If the type has changed, or the input is invalid, which it may not be for the current type: `otherwise`. */
function writeOne(
  session: Session,
  store: Store,
  type: MinionType,
  input: CreateMinionInput,
  { by }: By,
  otherwise: () => Promise<Minion>,
): Promise<Minion> {
  const { clock, generateId } = session
  const { minion, validation } = createMinion(input, type, { clock, generateId, by })
  if (!validation.valid) return otherwise()
  return writeNow(session, store, type, { record: derived(session, minion), by, expect: null, otherwise })
}

interface MinionWrite extends By {
  readonly record: Minion
  /** The revision to replace; null for a new minion. */
  readonly expect: string | null
  readonly otherwise: () => Promise<Minion>
}

/** Writes a minion on condition that its type is as known here, and so that no evolution of it has begun. */
function writeNow(session: Session, store: Store, type: MinionType, write: MinionWrite): Promise<Minion> {
  const { record, by, expect, otherwise } = write
  const put = minionsCollection.toWrite(record, newRevision(), expect)
  const check = { key: type.id, expect: session.types.revisionOf(type) }
  const event = expect === null ? 'minion.created' : 'minion.updated'
  const written = () => {
    announce(session, COMMITTED, event, { record, revision: put.revision, by })
    return record
  }
  const parts = writeOnCondition(minionsCollection, put, typesCollection, check)
  return store[UNGUARDED].write(parts).then(written, (error) => {
    const isConflict = coreError.is(error, 'CONFLICT')
    // The id of a new minion stays taken.
    if (isConflict && (expect !== null || error.details.collection === typesCollection.name)) return otherwise()
    throw error
  })
}

export function createMinions(
  session: Session,
  type: string,
  inputs: readonly CreateMinionInput[],
  { by }: By,
): Promise<Minion[]> {
  return session.store.transaction(async (tx) => {
    const current = session.types.settled(type) ?? (await session.types.current(tx, type))
    const options = { clock: session.clock, generateId: session.generateId, by }
    const results = inputs.map((input) => createMinion(input, current, options))
    assertValid(
      results.map(({ validation }) => validation),
      results.length === 1 ? `A new ${current.name}` : `One of the new minions of type ${current.name}`,
    )
    const minions = results.map(({ minion }) => derived(session, minion))
    const revisions = await tx.putMany(minionsCollection, minions, { ifAbsent: true })
    for (const [index, minion] of minions.entries()) {
      if (needsMore(session)) await created(session, tx, minion, by)
      announce(session, tx, 'minion.created', { record: minion, revision: revisions[index] as string, by })
    }
    return minions
  })
}

/** True if more has to be written together with a new minion. */
function needsMore({ types, onChange }: Session): boolean {
  return onChange !== undefined || types.isEvolving
}

async function created(session: Session, tx: StoreTransaction, minion: Minion, by: string | undefined): Promise<void> {
  const evolution = session.types.isEvolving
    ? (await pendingEvolutions(session, tx, [minion])).get(minion.id)
    : undefined
  if (evolution) await noteEvolved(session, tx, evolution, minion.id)
  const change = { kind: 'created', minionId: minion.id, before: undefined, after: minion } as const
  await session.onChange?.({ ...change, at: minion.createdAt, by }, tx)
}

/** Updates in one conditional write if nothing else has to be written with it, otherwise in a transaction. */
export function updateOne(
  session: Session,
  id: string,
  patch: UpdateMinionInput,
  options: UpdateOptions,
): Promise<Minion> {
  const { store } = session
  const inTransaction = () => updateInTransaction(session, id, patch, options)
  if (needsMore(session) || !isStore(store) || options.type !== undefined || !isId(id)) return inTransaction()
  return store[UNGUARDED].get(minionsCollection, id).then((found) => {
    if (!found || (options.ifRevision ?? found.revision) !== found.revision) return inTransaction()
    return rewriteOne(session, store, found, patch, options, inTransaction)
  })
}

/** If the minion or its type has changed meanwhile, or the update is invalid for what is known here: `otherwise`. */
function rewriteOne(
  session: Session,
  store: Store,
  found: Revised<Minion>,
  patch: UpdateMinionInput,
  { by }: UpdateOptions,
  otherwise: () => Promise<Minion>,
): Promise<Minion> {
  const { clock, types } = session
  // An evolution may have begun while the minion was read; then the minion has to be migrated first.
  const type = types.isEvolving ? undefined : types.find(found.record.minionTypeId)
  if (!type) return otherwise()
  const { minion, validation } = updateMinion(found.record, patch, type, { clock, by })
  if (!validation.valid) return otherwise()
  const record = derived(session, minion, found.record)
  return writeNow(session, store, type, { record, by, expect: found.revision, otherwise })
}

function updateInTransaction(
  session: Session,
  id: string,
  patch: UpdateMinionInput,
  { ifRevision, by, type: wanted }: UpdateOptions,
): Promise<Minion> {
  return session.store.transaction(async (tx) => {
    const stored = await storedMinion(tx, id)
    if (wanted !== undefined && !(await isOfType(session, tx, stored.record, wanted))) throw notFound('minion', id)
    if (ifRevision !== undefined && ifRevision !== stored.revision) throw stale(id, stored.revision)
    // The type first: reading it is how a client learns that another one is evolving it.
    const type = await session.types.current(tx, stored.record.minionTypeId)
    const found = await currentMinion(session, tx, stored)
    const { minion, validation } = updateMinion(found.record, patch, type, { clock: session.clock, by })
    assertValid([validation], `The update of "${id}"`)
    return write(session, tx, found, derived(session, minion, found.record), 'updated', by)
  })
}

/** True for a minion of the type, by slug, id or the type itself. Throws `NOT_FOUND` for an unknown type. */
export async function isOfType(
  session: Session,
  reader: StoreReader,
  minion: Minion | undefined,
  type: TypeName,
): Promise<boolean> {
  const { id } = await session.types.current(reader, takeType(type))
  return minion?.minionTypeId === id
}

const MARKS = {
  deleted: (minion: Minion, options: LifecycleOptions) => softDelete(minion, undefined, options),
  restored: restoreMinion<Minion>,
} as const

/** Deletes or restores a minion. Doing it twice changes nothing. */
export function markOne(session: Session, id: string, kind: keyof typeof MARKS, { by }: By): Promise<Minion> {
  return session.store.transaction(async (tx) => {
    const found = await currentMinion(session, tx, await storedMinion(tx, id))
    const minion = MARKS[kind](found.record, { clock: session.clock, by })
    return minion === found.record ? minion : write(session, tx, found, minion, kind, by)
  })
}

/** A minion as stored. Throws `NOT_FOUND`. */
export async function storedMinion(tx: StoreTransaction, id: string): Promise<Revised<Minion>> {
  const found = isId(id) ? await tx.getRevised(minionsCollection, id) : undefined
  if (!found) throw notFound('minion', id)
  return found
}

/** A minion in the current shape of its type, migrated if a running evolution has not reached it yet. */
export async function currentMinion(
  session: Session,
  tx: StoreTransaction,
  { record: stored, revision }: Revised<Minion>,
): Promise<CurrentMinion> {
  const evolution = (await pendingEvolutions(session, tx, [stored])).get(stored.id)
  const record = evolution ? evolveMinion(session, evolution, stored).minion : stored
  return { record, revision, stored, evolution }
}

async function write(
  session: Session,
  tx: StoreTransaction,
  { stored, revision: ifRevision, evolution }: CurrentMinion,
  minion: Minion,
  kind: 'updated' | 'deleted' | 'restored',
  by: string | undefined,
): Promise<Minion> {
  if (evolution) await noteEvolved(session, tx, evolution, minion.id, stored)
  const revision = await tx.put(minionsCollection, minion, { ifRevision })
  const change = { kind, minionId: minion.id, before: stored, after: minion }
  await session.onChange?.({ ...change, at: minion.updatedAt, by }, tx)
  announce(session, tx, `minion.${kind}`, { record: minion, revision, by })
  return minion
}
