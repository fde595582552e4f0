import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'
import { isAbsent } from '../fields/absent.js'
import { jsonEqual } from '../json/equal.js'
import { getOwn } from '../json/get-own.js'
import { setOwn } from '../json/set-own.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { ValidationError } from '../schemas/validation-result.js'
import { readClock } from '../time/clock.js'
import type { MinionOf } from '../types/fields-of.js'
import { inAttributeOrder } from './attribute-order.js'
import { ATTRIBUTES, copyAttribute } from './attributes.js'
import { type CheckedFields, checkFields } from './check-fields.js'
import { isDeleted } from './delete-minion.js'
import type { UpdateMinionInput } from './input.js'
import type { LifecycleOptions } from './options.js'
import { type MinionResult, notAnObject, notSettable, otherType } from './result.js'
import { searchableTextOf } from './searchable-text.js'
import { ownProperties } from './take-values.js'

/**
 * Applies a partial update and returns the new minion. The whole result is validated; errors in parts that the update
 * did not touch carry `preexisting: true` and do not make it invalid. Throws `DELETED` for a deleted minion, and never
 * for bad input.
 */
export const updateMinion = guarded('updateMinion', updateMinionUnchecked)

function updateMinionUnchecked<T extends MinionType>(
  minion: Minion,
  input: UpdateMinionInput<NoInfer<T>>,
  type: T,
  options: LifecycleOptions = {},
): MinionResult<T> {
  if (isDeleted(minion)) {
    throw coreError('DELETED', `Minion ${minion.id} is deleted; restore it before updating it.`, {
      details: { id: minion.id, deletedAt: minion.deletedAt },
    })
  }
  const given = ownProperties(input)
  const ownFields = isAbsent(given?.fields) ? {} : ownProperties(given?.fields)
  const patch = isAbsent(options.by) ? given : { ...given, updatedBy: options.by }
  const updated: Record<string, unknown> = takeOptions('The minion', minion)
  const errors = setAttributes(updated, patch ?? {})
  const { fields, text, errors: fieldErrors } = updateFields(minion, ownFields ?? {}, type)
  updated.fields = fields
  updated.updatedAt = readClock(options.clock)
  errors.push(...fieldErrors)
  updated.searchableText = searchableTextOf(updated as MinionOf<T>, text)

  if (given === undefined) errors.unshift(notAnObject('input', input))
  else if (ownFields === undefined) errors.push(notAnObject('fields', given.fields))
  if (minion.minionTypeId !== type.id) errors.push(otherType(minion.minionTypeId, type.id))
  const valid = errors.every((error) => error.preexisting === true)
  return { minion: inAttributeOrder(updated) as MinionOf<T>, validation: { valid, errors } }
}

/** Sets the given attributes: undefined leaves one as it is, null and `''` clear it, an invalid value changes nothing. */
function setAttributes(minion: Record<string, unknown>, given: Readonly<Record<string, unknown>>): ValidationError[] {
  const errors: ValidationError[] = []
  const touched = new Set<string>()
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (name === 'fields' || value === undefined) continue
    const attribute = name === 'createdBy' ? undefined : ATTRIBUTES.get(name)
    if (attribute === undefined) {
      if (!isUnchanged(minion, name, value)) errors.push(notSettable(name, value))
      continue
    }
    touched.add(name)
    const problems = attribute.errors(value)
    if (problems.length > 0) errors.push(...problems)
    else if (isAbsent(value)) delete minion[name]
    else minion[name] = copyAttribute(value)
  }
  for (const [name, attribute] of ATTRIBUTES) {
    if (touched.has(name)) continue
    errors.push(...attribute.errors(getOwn(minion, name)).map(preexisting))
  }
  return errors
}

/** A patch made from a whole minion repeats read-only attributes; only a difference is an error. */
function isUnchanged(minion: Readonly<Record<string, unknown>>, name: string, value: unknown): boolean {
  try {
    return Object.hasOwn(minion, name) && jsonEqual(minion[name], value)
  } catch {
    return false
  }
}

/** The fields after the update: null and undefined remove a field. */
function updateFields(minion: Minion, given: Readonly<Record<string, unknown>>, type: MinionType): CheckedFields {
  const own: Record<string, unknown> = takeOptions('The fields of the minion', minion.fields)
  for (const name of Object.keys(given)) setOwn(own, name, given[name] ?? undefined)
  const checked = checkFields(own, type)
  const errors = checked.errors.map((error) => (Object.hasOwn(given, error.field) ? error : preexisting(error)))
  return { ...checked, errors }
}

function preexisting(error: ValidationError): ValidationError {
  return { ...error, preexisting: true }
}
