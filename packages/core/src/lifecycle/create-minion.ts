import { guarded } from '../errors/guard.js'
import { isAbsent } from '../fields/absent.js'
import { generateId, type IdSource, isId } from '../ids.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { ValidationError } from '../schemas/validation-result.js'
import { readClock } from '../time/clock.js'
import type { MinionOf } from '../types/fields-of.js'
import { setDefaults } from './apply-defaults.js'
import { inAttributeOrder } from './attribute-order.js'
import { ATTRIBUTES, copyAttribute } from './attributes.js'
import { type CheckedFields, checkFields } from './check-fields.js'
import type { CreateMinionInput } from './input.js'
import type { CreateOptions } from './options.js'
import { type MinionResult, notAnId, notAnObject, notSettable, otherType } from './result.js'
import { searchableTextOf } from './searchable-text.js'
import { ownProperties } from './take-values.js'

type Values = Record<string, unknown>

const NO_OPTIONS: CreateOptions = {}

/**
 * Creates a new minion of a type: id, timestamps, defaults, status (default `active`), searchable text. The minion
 * shares nothing with the input. Never throws for bad input: all problems are in `validation`. An invalid attribute is
 * left out of the minion, an invalid field is kept if it is JSON.
 */
export const createMinion = guarded('createMinion', createMinionUnchecked)

export function createMinionUnchecked<T extends MinionType>(
  input: CreateMinionInput<NoInfer<T>>,
  type: T,
  options: CreateOptions = NO_OPTIONS,
): MinionResult<T> {
  const errors: ValidationError[] = []
  const time = readClock(options.clock)
  // In canonical order, so that a minion without further attributes need not be sorted.
  const minion: Values = {
    createdAt: time,
    fields: undefined,
    id: '',
    minionTypeId: type.id,
    searchableText: '',
    status: 'active',
    title: '',
    updatedAt: time,
  }
  const given = ownProperties(input)
  if (given === undefined) errors.push(notAnObject('input', input))
  setAttributes(minion, given ?? {}, errors)
  if (!isAbsent(options.by)) setAttribute(minion, 'createdBy', options.by, errors)
  if (minion.id === '') minion.id = newId(options.generateId, errors)
  const { fields, text } = takeFields(given?.fields, type, errors)
  minion.fields = fields
  minion.searchableText = searchableTextOf(minion as MinionOf<T>, text)
  return { minion: inAttributeOrder(minion) as MinionOf<T>, validation: { valid: errors.length === 0, errors } }
}

function newId(source: IdSource = generateId, errors: ValidationError[]): string {
  const id = source()
  if (source !== generateId && !isId(id)) errors.push(notAnId(id))
  return id
}

function setAttributes(minion: Values, given: Readonly<Values>, errors: ValidationError[]): void {
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (name !== 'fields' && !isAbsent(value)) setAttribute(minion, name, value, errors)
  }
  if (minion.title === '' && isAbsent(given.title)) setAttribute(minion, 'title', undefined, errors)
}

function setAttribute(minion: Values, name: string, value: unknown, errors: ValidationError[]): void {
  const attribute = ATTRIBUTES.get(name)
  const known = errors.length
  if (attribute !== undefined && name !== 'updatedBy') errors.push(...attribute.errors(value))
  else if (name === 'minionTypeId') {
    if (value !== minion.minionTypeId) errors.push(otherType(value, minion.minionTypeId))
  } else if (name !== 'id') errors.push(notSettable(name, value))
  else if (!isId(value)) errors.push(notAnId(value))
  if (errors.length === known) minion[name] = copyAttribute(value)
}

function takeFields(given: unknown, type: MinionType, errors: ValidationError[]): CheckedFields {
  const own = isAbsent(given) ? {} : ownProperties(given)
  if (own === undefined) errors.push(notAnObject('fields', given))
  const checked = checkFields(setDefaults(own ?? {}, type), type)
  for (const error of checked.errors) errors.push(error)
  return checked
}
