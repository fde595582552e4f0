import { guarded } from '../errors/guard.js'
import { inAttributeOrder } from '../lifecycle/attribute-order.js'
import type { LifecycleOptions } from '../lifecycle/options.js'
import { searchableText } from '../lifecycle/searchable-text.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'
import { readClock } from '../time/clock.js'
import { mergeLegacy } from './legacy.js'
import { byName, migrateFields } from './migrate-fields.js'

/**
 * Carries a minion over to a new schema of its type and returns the result. Values that are compatible stay, removed and
 * incompatible ones move to `_legacy`, new fields get their defaults. Missing required values are not an error here;
 * `planMigration` lists them.
 */
export const migrateMinion = guarded('migrateMinion', migrateMinionUnchecked)

function migrateMinionUnchecked(
  minion: Minion<object>,
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
  options: Pick<LifecycleOptions, 'clock'> = {},
): Minion {
  const time = readClock(options.clock)
  const { fields, moved } = migrateFields({ ...minion.fields }, byName(oldSchema), byName(newSchema))
  const migrated: Minion = { ...minion, fields, updatedAt: time }
  if (Object.keys(moved).length > 0) migrated._legacy = mergeLegacy(minion._legacy ?? {}, moved, time)
  migrated.searchableText = searchableText(migrated)
  return inAttributeOrder(migrated)
}
