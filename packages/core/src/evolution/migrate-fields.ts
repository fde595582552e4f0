import { takeList, takeOptions } from '../errors/take.js'
import { isAbsent } from '../fields/absent.js'
import { fits } from '../fields/compile-type.js'
import { jsonEqual } from '../json/equal.js'
import { withKeysInOrder } from '../json/key-order.js'
import { setOwn } from '../json/set-own.js'
import { copyIfJson } from '../lifecycle/take-values.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { Minion } from '../schemas/minion.js'
import { legacyKeys } from './legacy.js'
import { runTransform, type Transform, type Transforms } from './transform.js'

type Values = Readonly<Record<string, unknown>>

type Definitions = ReadonlyMap<string, FieldDefinition>

/** Options for how a schema change treats individual fields. */
export interface MigrationOptions {
  /** Converts values; a field without a transform keeps a value that is valid and gives up any other. */
  readonly transform?: Transforms | undefined
}

/** Options of a migration that may lack some of its transforms. */
export interface PartialMigrationOptions extends MigrationOptions {
  /** Fields whose transform is not known here: their values are set aside, and no default replaces them. */
  readonly awaiting?: readonly string[] | undefined
}

/** The reason a transform did not produce a value. Not an `Issue`: no value breaks a rule, a function failed. */
export interface TransformError {
  readonly field: string
  readonly message: string
}

/** The effect of a schema change on the fields of one minion. */
export interface MigratedFields {
  readonly fields: Record<string, unknown>
  /** The values that stay in `_legacy`. */
  readonly legacy: Record<string, unknown>
  /** Values removed from the fields, by field name. */
  readonly moved: Record<string, unknown>
  readonly restored: string[]
  readonly transformed: string[]
  readonly transformErrors: TransformError[]
  readonly defaulted: string[]
}

interface Draft extends MigratedFields {
  /** The fields before the migration. */
  readonly source: Values
}

/**
 * Migrates field values to a new schema. A value is removed when its field was removed, or when its field is retyped or
 * new and the value is invalid for it; a transform converts it instead. A retyped or new field without a value gets
 * back the newest valid value in `_legacy`, or else its default. All other values are kept, including those that merely
 * break new options or validation, and those under a name that neither schema knows.
 */
export function migrateFields(
  minion: Minion<object>,
  before: Definitions,
  after: Definitions,
  { transform = {}, awaiting = [] }: PartialMigrationOptions = {},
): MigratedFields {
  const source: Values = { ...takeOptions('The fields of a minion', minion.fields) }
  const legacy = takeOptions('`_legacy` of a minion', minion._legacy)
  const lists = { restored: [], transformed: [], transformErrors: [], defaulted: [] }
  const draft: Draft = { source, fields: {}, legacy, moved: {}, ...lists }
  const isConverted = (name: string) => after.has(name) && (Object.hasOwn(transform, name) || awaiting.includes(name))
  for (const [name, value] of Object.entries(source)) {
    const isRemoved = isConverted(name) ? !isAbsent(value) : leaves(value, before.get(name), after.get(name))
    setOwn(isRemoved ? draft.moved : draft.fields, name, copyIfJson(value))
  }
  for (const field of after.values()) {
    if (awaiting.includes(field.name)) continue
    const from = before.get(field.name)
    const run = Object.hasOwn(transform, field.name) ? transform[field.name] : undefined
    if (run) convert(draft, field, run, minion)
    else if (from?.type !== field.type) restore(draft, field, from)
    applyDefault(draft, field, from)
  }
  const { source: _, fields, ...rest } = draft
  return { ...rest, fields: withKeysInOrder(fields) }
}

function convert(draft: Draft, field: FieldDefinition, run: Transform, minion: Minion<object>): void {
  const { name } = field
  const { source, legacy } = draft
  const key = hasValue(source, name) ? undefined : legacyKeys(legacy, name)[0]
  const given = key === undefined ? source : legacy
  const old = hasValue(given, key ?? name) ? given[key ?? name] : undefined
  const { value, problem } = runTransform(run, old, minion, field)
  if (problem !== undefined) draft.transformErrors.push({ field: name, message: problem })
  if (value === undefined) return
  setOwn(draft.fields, name, value)
  delete draft.moved[name]
  if (key !== undefined) delete legacy[key]
  draft.transformed.push(name)
}

/** Restores a value set aside earlier to a field that has no value, or only the default that replaced it. */
function restore(draft: Draft, field: FieldDefinition, from: FieldDefinition | undefined): void {
  const { name } = field
  const { fields, legacy } = draft
  const current = hasValue(fields, name) ? fields[name] : undefined
  if (current !== undefined && !jsonEqual(current, from?.defaultValue)) return
  const key = legacyKeys(legacy, name).find((each) => hasValue(legacy, each) && fits(legacy[each], field))
  if (key === undefined) return
  if (current !== undefined) setOwn(draft.moved, name, current)
  setOwn(fields, name, copyIfJson(legacy[key]))
  delete legacy[key]
  draft.restored.push(name)
}

function applyDefault(draft: Draft, { name, defaultValue }: FieldDefinition, from: FieldDefinition | undefined): void {
  const isNew = from === undefined || Object.hasOwn(draft.moved, name)
  if (!isNew || hasValue(draft.fields, name) || isAbsent(defaultValue)) return
  setOwn(draft.fields, name, copyIfJson(defaultValue))
  draft.defaulted.push(name)
}

/** True if an own value that is not absent exists under a name. */
export function hasValue(fields: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(fields, name) && !isAbsent(fields[name])
}

export function byName(schema: readonly FieldDefinition[]): Definitions {
  return new Map(takeList('The schema', schema).map((field) => [field.name, field]))
}

function leaves(value: unknown, from: FieldDefinition | undefined, to: FieldDefinition | undefined): boolean {
  if (to === undefined) return from !== undefined
  return from?.type !== to.type && !isAbsent(value) && !fits(value, to)
}
