import { guarded } from '../errors/guard.js'
import { validateField } from '../fields/validate.js'
import { jsonEqual } from '../json/equal.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'
import { byName, hasValue, migrateFields } from './migrate-fields.js'
import { type SchemaChanges, schemaChanges } from './schema-changes.js'

/** What a migration does to one minion; each list holds names of fields, in the order of the schema. */
export interface MinionMigration {
  readonly id: string
  /** Values that move to `_legacy`. */
  readonly movedToLegacy: readonly string[]
  /** Fields that get their default value. */
  readonly defaulted: readonly string[]
  /** Required fields without a value afterwards: the minion is flagged, not altered, and needs a value from someone. */
  readonly missingRequired: readonly string[]
  /** Fields whose value stays as it is, although it breaks the changed options or validation. */
  readonly keptInvalid: readonly string[]
}

/** What a change of schema means, before or after it is carried out. */
export interface MigrationReport {
  readonly changes: SchemaChanges
  /** How many minions were looked at. */
  readonly checked: number
  /** Those of them that lose, gain or lack a value, in the order they came; the others stay as they are. */
  readonly minions: readonly MinionMigration[]
}

/** Reports what `migrateMinion` would do to each minion, without changing anything. */
export const planMigration = guarded('planMigration', planMigrationUnchecked)

function planMigrationUnchecked(
  minions: Iterable<Minion<object>>,
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
): MigrationReport {
  const plan = planFor(oldSchema, newSchema)
  const affected: MinionMigration[] = []
  let checked = 0
  for (const minion of minions) {
    checked++
    const migration = plan(minion)
    if (isAffected(migration)) affected.push(migration)
  }
  return { changes: schemaChanges(oldSchema, newSchema), checked, minions: affected }
}

function planFor(
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
): (minion: Minion<object>) => MinionMigration {
  const before = byName(oldSchema)
  const after = byName(newSchema)
  // Not the order of the record's own names, which a database need not keep.
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const required = newSchema.filter((field) => field.required === true)
  const changed = newSchema.filter((field) => !jsonEqual(field, before.get(field.name)))
  return (minion) => {
    const { fields, moved, defaulted } = migrateFields({ ...minion.fields }, before, after)
    return {
      id: minion.id,
      movedToLegacy: names.filter((name) => Object.hasOwn(moved, name)),
      defaulted,
      missingRequired: required.filter(({ name }) => !hasValue(fields, name)).map(({ name }) => name),
      keptInvalid: changed
        .filter((field) => hasValue(fields, field.name) && validateField(fields[field.name], field).length > 0)
        .map(({ name }) => name),
    }
  }
}

function isAffected({ movedToLegacy, defaulted, missingRequired, keptInvalid }: MinionMigration): boolean {
  return movedToLegacy.length + defaulted.length + missingRequired.length + keptInvalid.length > 0
}
