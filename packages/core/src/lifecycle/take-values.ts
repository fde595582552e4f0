import { isMinionsError } from '../errors/minions-error.js'
import { isAbsent } from '../fields/absent.js'
import { copyJson } from '../json/copy-json.js'
import { getOrInsert } from '../json/get-or-insert.js'
import { orderedKeys } from '../json/key-order.js'
import { setOwn } from '../json/set-own.js'
import { isStorable } from '../json/storable.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { ValidationError } from '../schemas/validation-result.js'
import { appendText, MAX_SEARCHED, textOf } from './searchable-text.js'

type Values = Record<string, unknown>

export interface TakenValues {
  readonly values: Values
  /** The values and, uncopied, the refused ones, for validators to see. */
  readonly given: Values
  /** The errors of values that JSON, or a database, cannot hold. */
  readonly refused: readonly ValidationError[]
  /** The strings among the values. */
  readonly text: string
  /** True if every string in the values is known to be storable. */
  readonly storable: boolean
}

const NOTHING_REFUSED: readonly ValidationError[] = []

/** Reads the own properties of a plain object once; undefined for anything else, or if a getter throws. */
export function ownProperties(value: unknown): Values | undefined {
  try {
    return isPlainObject(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * Copies the values of an object that is not shared, with its names in canonical order. Undefined is left out, and so
 * are null and `''` in a field of the schema, where they mean that the value is absent.
 */
export function takeValues(own: Values, schema: readonly FieldDefinition[]): TakenValues {
  return takeTexts(own, namesOf(schema)) ?? takeTexts(own, orderedKeys(own)) ?? takeCarefully(own, schema)
}

/**
 * Copies strings, lists of strings, numbers and booleans. Undefined when there are other values or other names.
 * Checking all strings at once is what makes ordinary values cheap.
 */
function takeTexts(own: Values, names: readonly string[]): TakenValues | undefined {
  const values: Values = {}
  let text = ''
  let taken = 0
  for (const name of names) {
    const given = own[name]
    if (given === undefined && !Object.hasOwn(own, name)) continue
    taken += 1
    const value = Array.isArray(given) ? copyTexts(given) : given
    if ((typeof value === 'string' && value !== '') || Array.isArray(value)) text = appendText(text, value)
    else if (typeof value !== 'boolean' && !(Number.isFinite(value) && !Object.is(value, -0))) return undefined
    setOwn<unknown>(values, name, value)
  }
  if (taken !== Object.keys(own).length || !isStorable(text)) return undefined
  return { values, given: values, refused: NOTHING_REFUSED, text, storable: true }
}

const schemaNames = new WeakMap<readonly FieldDefinition[], readonly string[]>()

/**
 * The names of a schema in order. Texts are joined in this order, because a database need not preserve any other;
 * sorting the names each time would cost more than everything else.
 */
function namesOf(schema: readonly FieldDefinition[]): readonly string[] {
  return getOrInsert(schemaNames, schema, () => schema.map((field) => field.name).sort())
}

/** Copies values of any kind, one by one. */
function takeCarefully(own: Values, schema: readonly FieldDefinition[]): TakenValues {
  const values: Values = {}
  const given: Values = {}
  const refused: ValidationError[] = []
  for (const name of orderedKeys(own)) {
    const value = own[name]
    if (value === undefined || (isAbsent(value) && schema.some((field) => field.name === name))) continue
    try {
      const copy = copyJson(value, name)
      setOwn<unknown>(values, name, copy)
      setOwn<unknown>(given, name, copy)
    } catch (error) {
      setOwn<unknown>(given, name, value)
      const message = isMinionsError(error) ? error.message : `${name} cannot be read.`
      refused.push({ field: name, code: 'json', message, value })
    }
  }
  return { values, given, refused, text: textOf(values), storable: false }
}

/** A copy of a JSON value; a value that JSON cannot represent is kept as it is, for validation to report. */
export function copyIfJson(value: unknown): unknown {
  try {
    return copyJson(value)
  } catch {
    return value
  }
}

/**
 * A copy of a list of strings, such as tags, which are as simple to copy as strings; undefined for any other list, and
 * for one whose strings are not all searched. Each element is read once, so that what is checked is what is kept.
 */
function copyTexts(list: readonly unknown[]): string[] | undefined {
  const { length } = list
  if (length > MAX_SEARCHED) return undefined
  const copy: string[] = []
  for (let index = 0; index < length; index++) {
    const element = list[index]
    if (typeof element !== 'string') return undefined
    copy.push(element)
  }
  return copy
}

function isPlainObject(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  // An object of another realm has another Object.prototype, which also ends its chain.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}
