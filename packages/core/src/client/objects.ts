import { coreError } from '../errors/codes.js'
import { isId } from '../ids.js'
import { createMinionUnchecked as createMinion } from '../lifecycle/create-minion.js'
import { restoreMinion, softDelete } from '../lifecycle/delete-minion.js'
import type { CreateMinionInput, UpdateMinionInput } from '../lifecycle/input.js'
import { updateMinion } from '../lifecycle/update-minion.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { Revised, StoreReader, StoreTransaction } from '../storage/access.js'
import { isStore } from '../storage/is-store.js'
import type { Store } from '../storage/store.js'
import { WriteBatch } from '../storage/write-batch.js'
import type { TypeName } from '../types/type-map.js'
import { type Evolution, minionsCollection, typesCollection } from './collections.js'
import { derived } from './derive.js'
import { takeType } from './door.js'
import { assertValid, notFound, stale } from './errors.js'
import { evolveMinion } from './evolve-minion.js'
import { noteEvolved, pendingEvolutions, readCurrent } from './evolving.js'
import { announce, type By, type Session } from './session.js'

/** Options of an update. */
export interface UpdateOptions extends By {
  /** Fail with `CONFLICT` unless the minion still has this revision. */
  readonly ifRevision?: string | undefined
  /** Fail with `NOT_FOUND` unless the minion is of this type: slug, id or the type itself. */
  readonly type?: TypeName | undefined
}

/** A minion with its revision. */
export interface MinionRecord<M = Minion> {
  readonly minion: M
  readonly revision: string
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
 * otherwise in a transaction.
 */
export async function createOne(
  session: Session,
  type: string | MinionType,
  input: CreateMinionInput,
  options: By,
): Promise<Minion> {
  const known = needsMore(session) ? undefined : session.types.find(typeof type === 'string' ? type : type?.id)
  const written = known && isStore(session.store) && (await writeOne(session, session.store, known, input, options))
  if (written) return written
  const [minion] = await createMinions(session, type, [input], options)
  return minion as Minion
}

/** Undefined if the type has changed, or if the input is invalid: it may be valid for the current type. */
async function writeOne(
  session: Session,
  store: Store,
  type: MinionType,
  input: CreateMinionInput,
  { by }: By,
): Promise<Minion | undefined> {
  const { clock, generateId, types } = session
  const { minion, validation } = createMinion(input, type, { clock, generateId, by })
  if (!validation.valid) return undefined
  const record = derived(session, minion)
  const batch = new WriteBatch()
  batch.check(typesCollection, type.id, types.asStored(type))
  const revision = batch.put(minionsCollection, record, { ifAbsent: true })
  try {
    await store.write(batch)
  } catch (error) {
    if (coreError.is(error, 'CONFLICT') && error.details.collection === typesCollection.name) return undefined
    throw error
  }
  announce(session, COMMITTED, 'minion.created', { record, revision, by })
  return record
}

/** Creates minions of one type, all or none. */
export function createMinions(
  session: Session,
  type: string | MinionType,
  inputs: readonly CreateMinionInput[],
  { by }: By,
): Promise<Minion[]> {
  return session.store.transaction(async (tx) => {
    if (!Array.isArray(inputs)) throw coreError('VALIDATION_FAILED', 'New minions must be given as a list.')
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

/** A minion by id, deleted or not. */
export async function getMinion(session: Session, id: string): Promise<MinionRecord | undefined> {
  if (!isId(id)) return undefined
  const { items, revision } = await readCurrent(session, async (reader) => {
    const found = await reader.getRevised(minionsCollection, id)
    return { items: found ? [found.record] : [], revision: found?.revision }
  })
  return items[0] && revision !== undefined ? { minion: items[0], revision } : undefined
}

/**
 * Applies a partial update: in one conditional write if nothing has changed since the minion was read and nothing else
 * has to be written with it, otherwise in a transaction.
 */
export async function updateOne(
  session: Session,
  id: string,
  patch: UpdateMinionInput,
  options: UpdateOptions,
): Promise<Minion> {
  const { store } = session
  const written =
    needsMore(session) || !isStore(store) ? undefined : await rewriteOne(session, store, id, patch, options)
  return written ?? updateInTransaction(session, id, patch, options)
}

/**
 * Undefined if the minion or its type has changed meanwhile, or if the update is invalid: it may be valid for the
 * current state.
 */
async function rewriteOne(
  session: Session,
  store: Store,
  id: string,
  patch: UpdateMinionInput,
  { ifRevision, by, type: wanted }: UpdateOptions,
): Promise<Minion | undefined> {
  const { clock, types } = session
  const found = wanted === undefined && isId(id) ? await store.getRevised(minionsCollection, id) : undefined
  if (!found || (ifRevision !== undefined && ifRevision !== found.revision)) return undefined
  // An evolution may have begun while the minion was read; then the minion has to be migrated first.
  if (types.isEvolving) return undefined
  const type = types.find(found.record.minionTypeId)
  if (!type) return undefined
  const { minion, validation } = updateMinion(found.record, patch, type, { clock, by })
  if (!validation.valid) return undefined
  const record = derived(session, minion, found.record)
  const batch = new WriteBatch()
  // An evolution begins with a new revision of the type, so a minion with this one is not about to be migrated.
  batch.check(typesCollection, type.id, types.asStored(type))
  const revision = batch.put(minionsCollection, record, { ifRevision: found.revision })
  try {
    await store.write(batch)
  } catch (error) {
    if (coreError.is(error, 'CONFLICT')) return undefined
    throw error
  }
  announce(session, COMMITTED, 'minion.updated', { record, revision, by })
  return record
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

/**
 * True for a minion of the type, given by slug, by id or as the type itself. Throws `NOT_FOUND` for an unknown type.
 */
export async function isOfType(
  session: Session,
  reader: StoreReader,
  minion: Minion | undefined,
  type: TypeName,
): Promise<boolean> {
  const { id } = await session.types.current(reader, takeType(type))
  if (!minion) return false
  return minion.minionTypeId === id
}

/** Marks a minion as deleted. Deleting twice changes nothing. */
export function softDeleteOne(session: Session, id: string, { by }: By): Promise<Minion> {
  return session.store.transaction(async (tx) => {
    const found = await currentMinion(session, tx, await storedMinion(tx, id))
    const minion = softDelete(found.record, by, { clock: session.clock })
    return minion === found.record ? minion : write(session, tx, found, minion, 'deleted', by)
  })
}

/** Restores a deleted minion. Restoring one that is not deleted changes nothing. */
export function restoreOne(session: Session, id: string, { by }: By): Promise<Minion> {
  return session.store.transaction(async (tx) => {
    const found = await currentMinion(session, tx, await storedMinion(tx, id))
    const minion = restoreMinion(found.record, { clock: session.clock, by })
    return minion === found.record ? minion : write(session, tx, found, minion, 'restored', by)
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
