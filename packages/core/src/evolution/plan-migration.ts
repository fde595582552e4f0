import { guarded } from '../errors/guard.js'
import { takeItems } from '../errors/take.js'
import { validateField } from '../fields/validate.js'
import { jsonEqual } from '../json/equal.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'
import {
  byName,
  hasValue,
  type MigratedFields,
  type MigrationOptions,
  migrateFields,
  type TransformError,
} from './migrate-fields.js'
import { type SchemaChanges, schemaChanges } from './schema-changes.js'

/** The effect of a migration on one minion; each list holds field names, in the order of the schema. */
export interface MinionMigration {
  readonly id: string
  /** Values that move to `_legacy`. */
  readonly movedToLegacy: readonly string[]
  /** Fields that get back a value set aside in `_legacy` earlier. */
  readonly restored: readonly string[]
  /** Fields that get their value from a transform. */
  readonly transformed: readonly string[]
  /** Transforms that failed or returned an invalid value; their input is in `_legacy`. */
  readonly transformErrors: readonly TransformError[]
  /** Fields that get their default value. */
  readonly defaulted: readonly string[]
  /** Required fields left without a value: the minion is flagged, not altered, and needs one to be supplied. */
  readonly missingRequired: readonly string[]
  /** Fields whose value stays as it is, although it breaks the changed options or validation. */
  readonly keptInvalid: readonly string[]
}

/** The effect of a schema change, before or after it is carried out. */
export interface MigrationReport {
  readonly changes: SchemaChanges
  /** Number of minions examined. */
  readonly checked: number
  /** The minions that lose, gain or lack a value, in the order they came; the others are unchanged. */
  readonly minions: readonly MinionMigration[]
}

/** Reports what `migrateMinion` would do to each minion, without changing anything. */
export const planMigration = guarded('planMigration', planMigrationUnchecked)

function planMigrationUnchecked(
  minions: Iterable<Minion<object>>,
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
  options: MigrationOptions = {},
): MigrationReport {
  const [before, after] = [byName(oldSchema), byName(newSchema)]
  const report = reporter(oldSchema, newSchema)
  const affected: MinionMigration[] = []
  let checked = 0
  for (const minion of takeItems('The minions', minions)) {
    checked++
    const migration = report(minion.id, migrateFields(minion, before, after, options))
    if (migration) affected.push(migration)
  }
  return { changes: schemaChanges(oldSchema, newSchema), checked, minions: affected }
}

/** Reports what a migration did to a minion; undefined when there is nothing to report. */
export function reporter(
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
): (id: string, migrated: MigratedFields) => MinionMigration | undefined {
  const before = byName(oldSchema)
  // Not in the order of the record's own names, which a database need not preserve.
  const names = [...new Set([...oldSchema, ...newSchema].map(({ name }) => name))]
  const required = newSchema.filter((field) => field.required === true)
  const changed = newSchema.filter((field) => !jsonEqual(field, before.get(field.name)))
  return (id, { fields, moved, restored, transformed, transformErrors, defaulted }) => {
    const lists = {
      movedToLegacy: names.filter((name) => Object.hasOwn(moved, name)),
      restored,
      transformed,
      transformErrors,
      defaulted,
      missingRequired: required.filter(({ name }) => !hasValue(fields, name)).map(({ name }) => name),
      keptInvalid: changed
        .filter((field) => hasValue(fields, field.name) && validateField(fields[field.name], field).length > 0)
        .map(({ name }) => name),
    }
    return Object.values(lists).some((list) => list.length > 0) ? { id, ...lists } : undefined
  }
}
