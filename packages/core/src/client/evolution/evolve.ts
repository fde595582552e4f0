import { coreError } from '../../errors/codes.js'
import { takeFunction } from '../../errors/take.js'
import type { MigrationOptions } from '../../evolution/migrate-fields.js'
import { type MigrationReport, type MinionMigration, planMigration } from '../../evolution/plan-migration.js'
import { schemaChanges } from '../../evolution/schema-changes.js'
import { checkTransforms } from '../../evolution/transform.js'
import { jsonEqual } from '../../json/equal.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { MinionType } from '../../schemas/minion-type.js'
import type { StoreTransaction } from '../../storage/access.js'
import type { Where } from '../../storage/query.js'
import { readClock } from '../../time/clock.js'
import { assertUsableType } from '../../types/type-problems.js'
import {
  type Evolution,
  evolutionsCollection,
  evolvedMinionsCollection,
  minionsCollection,
  typesCollection,
} from '../collections.js'
import { notFound } from '../errors.js'
import { announce, type By, type Session } from '../session.js'
import { type Conversion, knownTransforms } from './conversions.js'
import { completeMinion, evolveMinion } from './evolve-minion.js'
import { iterateCurrent } from './evolving.js'

const BATCH = 500

/** Options for giving a type a new schema. */
export interface EvolveOptions extends By, MigrationOptions {
  /** Report what would happen and change nothing. */
  readonly dryRun?: boolean
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

export async function planEvolution(
  session: Session,
  slug: string,
  newSchema: readonly FieldDefinition[],
  { transform = {} }: MigrationOptions = {},
): Promise<MigrationReport> {
  const type = session.types.find(slug)
  if (!type) throw notFound('type', slug)
  assertUsableType({ ...type, schema: newSchema })
  checkTransforms(transform, newSchema)
  const options = jsonEqual(type.schema, newSchema) ? {} : { transform }
  const minions: MinionMigration[] = []
  let checked = 0
  for await (const minion of iterateCurrent(session, { where: { minionTypeId: type.id } })) {
    minions.push(...planMigration([minion], type.schema, newSchema, options).minions)
    checked += 1
  }
  return { changes: schemaChanges(type.schema, newSchema), checked, minions }
}

export async function evolve(
  session: Session,
  slug: string,
  newSchema: readonly FieldDefinition[],
  options: EvolveOptions,
): Promise<MigrationReport> {
  takeFunction('`onProgress` of an evolution', options.onProgress)
  if (options.dryRun) return planEvolution(session, slug, newSchema, options)
  return finishEvolution(session, await start(session, slug, newSchema, options), options.onProgress)
}

/** Completes an evolution that was started here or, before a crash, elsewhere. */
export async function finishEvolution(
  session: Session,
  evolution: Evolution,
  onProgress?: EvolveOptions['onProgress'],
): Promise<MigrationReport> {
  const { typeId } = evolution
  session.types.begin(typeId)
  const total = await session.store.count(minionsCollection, { where: { minionTypeId: typeId } })
  let done = 0
  for (let more = true; more; ) {
    const migrated = await session.store.transaction((tx) => migrateBatch(session, tx, evolution))
    done += migrated
    onProgress?.({ done, total: Math.max(done, total) })
    more = migrated === BATCH
  }
  const report = await session.store.transaction((tx) => finish(session, tx, evolution))
  session.types.end(typeId)
  return report
}

/** Stores the job and switches the type, so that from here on everything is written with the new schema. */
function start(
  session: Session,
  slug: string,
  newSchema: readonly FieldDefinition[],
  { by, transform = {} }: EvolveOptions,
): Promise<Evolution> {
  return session.store.transaction(async (tx) => {
    const old = await session.types.current(tx, slug)
    const type: MinionType = { ...old, schema: newSchema, updatedAt: readClock(session.clock) }
    assertUsableType(type)
    checkTransforms(transform, newSchema)
    const names = Object.keys(transform)
    const conversion = names.length > 0 ? { schema: newSchema, transform } : session.conversions.get(old.id)
    const underWay = await tx.get(evolutionsCollection, old.id)
    if (underWay) assertSameEvolution(old, underWay, newSchema, names, conversion)
    if (conversion) session.conversions.set(old.id, conversion)
    // Resumes the same evolution after a failure.
    if (underWay) return underWay
    // Converting values that already have the new schema would corrupt them.
    const transforms = jsonEqual(old.schema, newSchema) ? [] : names
    const evolution: Evolution = {
      typeId: old.id,
      oldSchema: [...old.schema],
      newSchema: [...newSchema],
      startedAt: type.updatedAt as string,
      migrated: 0,
      ...(by !== undefined && { by }),
      ...(transforms.length > 0 && { transforms }),
    }
    await tx.put(evolutionsCollection, evolution, { ifAbsent: true })
    const revision = await tx.put(typesCollection, type)
    session.types.stage(tx, type, revision)
    tx.afterCommit(() => session.types.begin(old.id))
    return evolution
  })
}

/** A running evolution can be resumed with the same schema and the same transforms. */
function assertSameEvolution(
  type: MinionType,
  underWay: Evolution,
  newSchema: readonly FieldDefinition[],
  names: readonly string[],
  conversion: Conversion | undefined,
): void {
  const isSame = jsonEqual(underWay.newSchema, newSchema) && names.every((name) => underWay.transforms?.includes(name))
  const missing = isSame ? knownTransforms(underWay, conversion).awaiting : []
  if (isSame && missing.length === 0) return
  const problem = isSame
    ? `converts ${missing.join(', ')}; call types.evolve with a \`transform\` for each of them.`
    : 'is in progress; wait until it is done.'
  throw coreError('CONFLICT', `An evolution of the type "${type.slug}" ${problem}`, {
    details: { collection: 'evolutions', key: type.id, ...(isSame && { transforms: missing }) },
  })
}

/** Migrates the next minions by id and returns how many were examined. */
async function migrateBatch(session: Session, tx: StoreTransaction, started: Evolution): Promise<number> {
  const { typeId } = started
  const found = await tx.getRevised(evolutionsCollection, typeId)
  // Another process that opened the store has finished it.
  if (!found || !isSame(found.record, started)) return 0
  const evolution = found.record
  const where: Where = {
    minionTypeId: typeId,
    ...(evolution.doneThrough !== undefined && { id: { gt: evolution.doneThrough } }),
  }
  const { items } = await tx.find(minionsCollection, { where, orderBy: [{ field: 'id' }], limit: BATCH })
  const last = items.at(-1)
  if (!last) return 0
  const marks = await tx.getMany(
    evolvedMinionsCollection,
    items.map((minion) => [typeId, minion.id]),
  )
  const evolved = items.flatMap((before, index) => {
    const mark = marks[index]?.record
    const after = mark ? completeMinion(session, evolution, before, mark) : evolveMinion(session, evolution, before)
    return after ? [{ before, ...after }] : []
  })
  await tx.putMany(
    minionsCollection,
    evolved.map(({ minion }) => minion),
  )
  for (const { before, minion: after } of evolved) {
    const change = { kind: 'migrated', minionId: after.id, before, after } as const
    await session.onChange?.({ ...change, at: after.updatedAt, by: evolution.by }, tx)
  }
  const reports = evolved.flatMap(({ report }) => (report ? [{ typeId, minionId: report.id, report }] : []))
  await tx.putMany(evolvedMinionsCollection, reports)
  const progress = { ...evolution, doneThrough: last.id, migrated: evolution.migrated + items.length }
  await tx.put(evolutionsCollection, progress, { ifRevision: found.revision })
  return items.length
}

/** Removes the job and collects its report. */
async function finish(session: Session, tx: StoreTransaction, started: Evolution): Promise<MigrationReport> {
  const { typeId } = started
  const evolution = await tx.get(evolutionsCollection, typeId)
  const stored = await tx.getRevised(typesCollection, typeId)
  if (!evolution || !stored || !isSame(evolution, started)) {
    const schema = session.types.find(typeId)?.schema ?? []
    return { changes: schemaChanges(schema, schema), checked: 0, minions: [] }
  }
  const minions: MinionMigration[] = []
  const keys: [string, string][] = []
  for await (const { record } of tx.iterate(evolvedMinionsCollection, { where: { typeId } })) {
    if (record.report !== null) minions.push(record.report as MinionMigration)
    keys.push([typeId, record.minionId])
  }
  await tx.deleteMany(evolvedMinionsCollection, keys)
  await tx.delete(evolutionsCollection, typeId)
  announce(session, tx, 'type.evolved', { ...stored, by: evolution.by })
  const { oldSchema, newSchema, migrated } = evolution
  return { changes: schemaChanges(oldSchema, newSchema), checked: migrated, minions }
}

/** True if this is still the evolution that was started, not a later one of the type. */
function isSame(a: Evolution, b: Evolution): boolean {
  return a.startedAt === b.startedAt && jsonEqual(a.newSchema, b.newSchema)
}
