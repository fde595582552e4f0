import { byName, hasValue, migrateFields, type PartialMigrationOptions } from '../../evolution/migrate-fields.js'
import { withFields } from '../../evolution/migrate-minion.js'
import { type MinionMigration, reporter } from '../../evolution/plan-migration.js'
import type { Transform } from '../../evolution/transform.js'
import { cloneJson } from '../../json/clone.js'
import type { FieldDefinition } from '../../schemas/field-definition.js'
import type { Minion } from '../../schemas/minion.js'
import { readClock } from '../../time/clock.js'
import type { Evolution, EvolvedMinion } from '../collections.js'
import { derived } from '../objects/derive.js'
import type { Session } from '../session.js'
import { knownTransforms } from './conversions.js'

/** A minion that a running evolution has not reached yet, as it will be afterwards. */
export interface Evolved {
  readonly minion: Minion
  /** The migration report; undefined when nothing moved, was defaulted or is missing. */
  readonly report: MinionMigration | undefined
  /** Fields not converted yet, because their function is not known here. */
  readonly awaiting: readonly string[]
}

export function evolveMinion(session: Session, evolution: Evolution, minion: Minion): Evolved {
  const options = knownTransforms(evolution, session.conversions.get(evolution.typeId))
  return migrate(session, minion, evolution.oldSchema, evolution.newSchema, options)
}

/** Converts what was written where the transforms were not known, unless set since. Undefined if there is nothing. */
export function completeMinion(
  session: Session,
  evolution: Evolution,
  minion: Minion,
  { awaiting = [], before, report: earlier }: EvolvedMinion,
): Evolved | undefined {
  const names = awaiting.filter((name) => !hasValue(minion.fields, name))
  if (names.length === 0) return undefined
  const { transform } = knownTransforms(evolution, session.conversions.get(evolution.typeId))
  const waiting = Object.entries(transform).filter(([name]) => names.includes(name))
  const options = {
    transform: Object.fromEntries(
      waiting.map(([name, run]): [string, Transform] => [name, (value) => run(value, cloneJson(before) as Minion)]),
    ),
  }
  const { newSchema } = evolution
  const oldSchema = newSchema.filter(({ name }) => !names.includes(name))
  const completed = migrate(session, minion, oldSchema, newSchema, options)
  return { ...completed, report: together(earlier as MinionMigration | null, completed.report) }
}

function migrate(
  session: Session,
  minion: Minion,
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
  options: PartialMigrationOptions,
): Evolved {
  const fields = migrateFields(minion, byName(oldSchema), byName(newSchema), options)
  const migrated = withFields(minion, fields, readClock(session.clock))
  return {
    minion: derived(session, migrated, minion),
    report: reporter(oldSchema, newSchema)(minion.id, fields),
    awaiting: options.awaiting ?? [],
  }
}

/** Merges the reports of a two-step migration. */
function together(first: MinionMigration | null, second: MinionMigration | undefined): MinionMigration | undefined {
  if (!first || !second) return second ?? first ?? undefined
  const { transformed, defaulted, keptInvalid } = second
  return {
    ...second,
    movedToLegacy: first.movedToLegacy.filter((name) => !transformed.includes(name)),
    restored: first.restored,
    defaulted: [...first.defaulted, ...defaulted],
    keptInvalid: [...new Set([...first.keptInvalid, ...keptInvalid])],
  }
}
