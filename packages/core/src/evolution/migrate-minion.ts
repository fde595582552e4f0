import { guarded } from '../errors/guard.js'
import { inAttributeOrder } from '../lifecycle/attribute-order.js'
import type { LifecycleOptions } from '../lifecycle/options.js'
import { searchableText } from '../lifecycle/searchable-text.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'
import { readClock } from '../time/clock.js'
import { mergeLegacy } from './legacy.js'
import { byName, type MigratedFields, type MigrationOptions, migrateFields } from './migrate-fields.js'

/**
 * Migrates a minion to a new schema of its type and returns the result. Compatible values stay or are converted by
 * `transform`, removed and incompatible ones move to `_legacy`; new or retyped fields get back a valid value from
 * there, new ones otherwise their default. Missing required values are not an error here; `planMigration` lists them.
 */
export const migrateMinion = guarded('migrateMinion', migrateMinionUnchecked, { checksInside: true })

function migrateMinionUnchecked(
  minion: Minion<object>,
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
  options: Pick<LifecycleOptions, 'clock'> & MigrationOptions = {},
): Minion {
  const time = readClock(options.clock)
  return withFields(minion, migrateFields(minion, byName(oldSchema), byName(newSchema), options), time)
}

export function withFields(minion: Minion<object>, migrated: MigratedFields, time: string): Minion {
  const { _legacy, ...rest } = minion
  const legacy = mergeLegacy(migrated.legacy, migrated.moved, time)
  const result: Minion = { ...rest, fields: migrated.fields, updatedAt: time }
  if (Object.keys(legacy).length > 0) result._legacy = legacy
  result.searchableText = searchableText(result)
  return inAttributeOrder(result)
}
