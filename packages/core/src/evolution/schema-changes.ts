import { jsonEqual } from '../json/equal.js'
import type { FieldDefinition, FieldType } from '../schemas/field-definition.js'
import { byName } from './migrate-fields.js'

/** A field whose type of value changes. */
export interface RetypedField {
  readonly field: string
  readonly from: FieldType
  readonly to: FieldType
}

/** The differences between two schemas, in the order of the new one (of the old one for `removed`). */
export interface SchemaChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly retyped: readonly RetypedField[]
  /** Fields that became required, or were added as required. */
  readonly newlyRequired: readonly string[]
  /** Fields of unchanged type whose options or validation changed. Existing values stay as they are. */
  readonly revalidated: readonly string[]
}

export function schemaChanges(
  oldSchema: readonly FieldDefinition[],
  newSchema: readonly FieldDefinition[],
): SchemaChanges {
  const before = byName(oldSchema)
  const after = byName(newSchema)
  const kept = newSchema.flatMap((to) => {
    const from = before.get(to.name)
    return from === undefined ? [] : [{ from, to }]
  })
  return {
    added: newSchema.filter((field) => !before.has(field.name)).map((field) => field.name),
    removed: oldSchema.filter((field) => !after.has(field.name)).map((field) => field.name),
    retyped: kept
      .filter(({ from, to }) => from.type !== to.type)
      .map(({ from, to }) => ({ field: to.name, from: from.type, to: to.type })),
    newlyRequired: newSchema
      .filter((field) => field.required === true && before.get(field.name)?.required !== true)
      .map((field) => field.name),
    revalidated: kept.filter(({ from, to }) => from.type === to.type && !sameRules(from, to)).map(({ to }) => to.name),
  }
}

function sameRules(a: FieldDefinition, b: FieldDefinition): boolean {
  return jsonEqual(a.options ?? [], b.options ?? []) && jsonEqual(a.validation ?? {}, b.validation ?? {})
}
