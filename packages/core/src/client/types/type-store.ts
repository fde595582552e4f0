import { coreError } from '../../errors/codes.js'
import { checkTransforms } from '../../evolution/transform.js'
import { jsonEqual } from '../../json/equal.js'
import type { PluginType } from '../../plugin/plugin-type.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { Store } from '../../storage/store.js'
import { readClock } from '../../time/clock.js'
import { assertUsableType } from '../../types/type-problems.js'
import { requireSlugOf } from '../../types/type-registry.js'
import { typeSlugsCollection, typesCollection } from '../collections.js'
import { notFound } from '../errors.js'
import { announce, type By, type Session } from '../session.js'
import { type DifferingType, type OnTypeDiffers, typesDiffer } from './type-differences.js'

/** Options for registering a type. */
export interface RegisterTypeOptions extends By {
  /** Id of a type whose slug the new one takes over. */
  readonly takesSlugOf?: string
}

export async function registerType(
  session: Session,
  type: MinionType,
  { by, takesSlugOf }: RegisterTypeOptions = {},
): Promise<MinionType> {
  assertUsableType(type)
  const taken = session.types.find(type.id) ?? (takesSlugOf === undefined ? session.types.find(type.slug) : undefined)
  if (taken) throw alreadyRegistered(type)
  if (takesSlugOf !== undefined) checkTakeover(session, type, takesSlugOf)
  try {
    return await session.store.transaction(async (tx) => {
      const time = readClock(session.clock)
      const record: MinionType = { createdAt: time, updatedAt: time, ...type }
      const slug = { slug: record.slug, typeId: record.id }
      await tx.put(typeSlugsCollection, slug, ...(takesSlugOf === undefined ? [{ ifAbsent: true } as const] : []))
      const revision = await tx.put(typesCollection, record, { ifAbsent: true })
      announce(session, tx, 'type.registered', { record, revision, by })
      return session.types.stage(tx, record, revision, takesSlugOf)
    })
  } catch (error) {
    if (coreError.is(error, 'CONFLICT')) throw alreadyRegistered(type)
    throw error
  }
}

/** A slug can be taken over only from the type that currently has it. */
function checkTakeover(session: Session, type: MinionType, takesSlugOf: string): void {
  const holder = session.types.find(takesSlugOf)
  if (holder?.id !== takesSlugOf) throw notFound('type', takesSlugOf)
  requireSlugOf(holder, type)
  if (session.types.find(type.slug)?.id !== holder.id) throw alreadyRegistered(type)
}

/**
 * Synchronises the registry and the store when a client is opened: types given in code are stored if they are new;
 * stored types take precedence. Returns the types that differ, or throws `TYPE_DIFFERS` for `fail`, before anything is
 * written.
 */
export async function loadTypes(
  session: Session,
  store: Store,
  given: readonly PluginType[],
  onTypeDiffers: OnTypeDiffers,
): Promise<DifferingType[]> {
  const differing: DifferingType[] = []
  const entries = given.map((entry) => ('type' in entry ? entry : { type: entry }))
  for (const { type, takesSlugOf, transform } of entries) {
    session.types.registry.register(type, { takesSlugOf })
    if (transform === undefined) continue
    checkTransforms(transform, type.schema)
    session.conversions.set(type.id, { schema: type.schema, transform })
  }
  const known = new Set<string>()
  for await (const stored of store.iterate(typesCollection)) {
    known.add(stored.record.id)
    const inCode = entries.find(({ type }) => type.id === stored.record.id)?.type
    if (inCode && !jsonEqual(inCode.schema, stored.record.schema)) differing.push({ inCode, stored: stored.record })
    session.types.learn(stored)
  }
  if (onTypeDiffers === 'fail' && differing.length > 0) throw typesDiffer(differing)
  const fresh = entries.filter(({ type }) => !known.has(type.id))
  if (fresh.length > 0) await storeTypes(session, store, fresh)
  return differing
}

async function storeTypes(
  session: Session,
  store: Store,
  entries: readonly Exclude<PluginType, MinionType>[],
): Promise<void> {
  await store.transaction(async (tx) => {
    const time = readClock(session.clock)
    for (const { type, takesSlugOf } of entries) {
      // Another process starting with the same types may have been faster.
      if (await tx.get(typesCollection, type.id)) continue
      const holder = await tx.get(typeSlugsCollection, type.slug)
      if (holder && takesSlugOf === undefined && holder.typeId !== type.id) throw alreadyRegistered(type)
      await tx.put(typeSlugsCollection, { slug: type.slug, typeId: type.id })
      const record: MinionType = { createdAt: time, updatedAt: time, ...type }
      const revision = await tx.put(typesCollection, record)
      session.types.stage(tx, record, revision)
    }
  })
}

function alreadyRegistered({ id, slug }: MinionType): Error {
  const message = `A type with the id "${id}" or the slug "${slug}" is already registered.`
  return coreError('ALREADY_REGISTERED', message, { details: { id, slug } })
}
