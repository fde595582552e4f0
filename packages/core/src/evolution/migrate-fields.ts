import { isAbsent } from '../fields/absent.js'
import { fits } from '../fields/compile-type.js'
import { withKeysInOrder } from '../json/key-order.js'
import { setOwn } from '../json/set-own.js'
import { copyIfJson } from '../lifecycle/take-values.js'
import type { FieldDefinition } from '../schemas/field-definition.js'

type Definitions = ReadonlyMap<string, FieldDefinition>

/** What the change of a schema does to the fields of one minion. */
export interface MigratedFields {
  readonly fields: Record<string, unknown>
  /** Values that left the fields, by field name. */
  readonly moved: Record<string, unknown>
  /** Fields that got their default value. */
  readonly defaulted: readonly string[]
}

/**
 * Carries field values over to a new schema. A value leaves when its field was removed, or when its field is retyped or
 * new and the value does not fit it. Nothing else is taken away: not a value that merely breaks new options or
 * validation, and not one under a name that neither schema knows.
 */
export function migrateFields(
  source: Readonly<Record<string, unknown>>,
  before: Definitions,
  after: Definitions,
): MigratedFields {
  const fields: Record<string, unknown> = {}
  const moved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(source)) {
    setOwn(leaves(value, before.get(name), after.get(name)) ? moved : fields, name, copyIfJson(value))
  }
  const defaulted: string[] = []
  for (const { name, defaultValue } of after.values()) {
    const isNew = !before.has(name) || Object.hasOwn(moved, name)
    if (!isNew || hasValue(fields, name) || isAbsent(defaultValue)) continue
    setOwn(fields, name, copyIfJson(defaultValue))
    defaulted.push(name)
  }
  return { fields: withKeysInOrder(fields), moved, defaulted }
}

/** Whether an own, present value stands under a name. */
export function hasValue(fields: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(fields, name) && !isAbsent(fields[name])
}

/** The definitions of a schema by field name. */
export function byName(schema: readonly FieldDefinition[]): Definitions {
  return new Map(schema.map((field) => [field.name, field]))
}

function leaves(value: unknown, from: FieldDefinition | undefined, to: FieldDefinition | undefined): boolean {
  if (to === undefined) return from !== undefined
  return from?.type !== to.type && !isAbsent(value) && !fits(value, to)
}
