import { migrateMinion } from '../evolution/migrate-minion.js'
import { type MinionMigration, planMigration } from '../evolution/plan-migration.js'
import { compareCodePoints } from '../json/compare.js'
import type { JsonValue } from '../json/json-value.js'
import type { Minion } from '../schemas/minion.js'
import type { Revised, StoreReader, StoreTransaction } from '../storage/access.js'
import { Store } from '../storage/store.js'
import { type Evolution, evolutionsCollection, evolvedMinionsCollection } from './collections.js'
import { derived } from './derive.js'
import type { Session } from './session.js'

/** A minion that an evolution under way has not come to yet, as it will be afterwards. */
export interface Evolved {
  readonly minion: Minion
  /** What the migration has to report; undefined when nothing moved, was defaulted or is missing. */
  readonly report: MinionMigration | undefined
}

/** Migrates one minion and says what that did. */
export function evolveMinion(session: Session, evolution: Evolution, minion: Minion): Evolved {
  const { oldSchema, newSchema } = evolution
  const { minions } = planMigration([minion], oldSchema, newSchema)
  const migrated = migrateMinion(minion, oldSchema, newSchema, { clock: session.clock })
  return { minion: derived(session, migrated, minion), report: minions[0] }
}

/** Minions as their types are now: those that an evolution under way has not come to are migrated on the way. */
export async function upToDate(
  session: Session,
  reader: StoreReader,
  found: readonly Revised<Minion>[],
): Promise<readonly Revised<Minion>[]> {
  const { evolving } = session.types
  if (evolving.size === 0 || !found.some(({ record }) => evolving.has(record.minionTypeId))) return found
  const result: Revised<Minion>[] = []
  for (const revised of found) {
    const evolution = await pendingEvolution(session, reader, revised.record)
    result.push(evolution ? { ...revised, record: evolveMinion(session, evolution, revised.record).minion } : revised)
  }
  return result
}

/**
 * Tells an evolution under way that it need not touch a minion again, because it has just been written with the new
 * schema. `before` is what it was until now, if it was.
 */
export async function noteEvolved(
  session: Session,
  tx: StoreTransaction,
  minion: Minion,
  before?: Minion,
): Promise<void> {
  const evolution = await pendingEvolution(session, tx, minion)
  if (!evolution) return
  const report = before && evolveMinion(session, evolution, before).report
  await tx.put(evolvedMinionsCollection, {
    typeId: evolution.typeId,
    minionId: minion.id,
    report: (report ?? null) as JsonValue,
  })
}

/** The evolution that has not come to a minion yet. */
async function pendingEvolution(
  session: Session,
  reader: StoreReader,
  { id, minionTypeId }: Minion,
): Promise<Evolution | undefined> {
  if (!session.types.evolving.has(minionTypeId)) return undefined
  const evolution = await reader.get(evolutionsCollection, minionTypeId)
  if (!evolution) {
    // It is over, unless this is a transaction that began before it.
    if (reader instanceof Store) session.types.evolving.delete(minionTypeId)
    return undefined
  }
  if (evolution.doneThrough !== undefined && compareCodePoints(id, evolution.doneThrough) <= 0) return undefined
  return (await reader.get(evolvedMinionsCollection, [minionTypeId, id])) ? undefined : evolution
}
