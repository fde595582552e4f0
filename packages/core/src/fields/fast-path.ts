import { isStorable } from '../json/storable.js'
import type { FieldDefinition } from '../schemas/field-definition.js'
import type { CompiledField } from './compile-field.js'

/** Says for certain that fields are valid; `false` means that the checks of the fields have to decide. */
export type FastPath = (fields: object) => boolean

/**
 * Generates code that recognises valid fields several times faster than calling one check after another, because each
 * property is read at a place of its own. Answers `undefined` where a content security policy forbids generated code:
 * the checks then do all the work, with the same results.
 *
 * Names enter the code as JSON strings and limits as numbers, nothing else does. An inherited property cannot mislead
 * it: a required field must be an own property, and for an optional one no value is as good as a valid one.
 */
export function generateFastPath(
  schema: readonly FieldDefinition[],
  fields: readonly CompiledField[],
): FastPath | undefined {
  const tests = schema.map((field, index) => {
    const key = JSON.stringify(field.name)
    const test = testOf(field, index)
    if (field.required === true) return `Object.hasOwn(fields, ${key}) && (value = fields[${key}], ${test})`
    return `((value = fields[${key}]) === undefined || ${test})`
  })
  const body = `return (fields) => { let value; return ${tests.join(' && ') || 'true'} }`
  try {
    const memories = schema.map(() => ({ text: '', list: [] }))
    const make = new Function('checks', 'isKnownText', 'isKnownList', 'memories', body)
    return make(
      fields.map(({ check }) => check),
      isKnownText,
      isKnownList,
      memories,
    ) as FastPath
  } catch {
    return undefined
  }
}

function testOf(field: FieldDefinition, index: number): string {
  const limits = Object.values(field.validation ?? {}).some((limit) => limit !== undefined)
  if (field.type === 'number') {
    const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = field.validation ?? {}
    return `typeof value === 'number' && value >= ${Number(min)} && value <= ${Number(max)} && value - value === 0`
  }
  if (field.type === 'boolean') return `typeof value === 'boolean'`
  if (field.type === 'tags') return `isKnownList(value, memories[${index}])`
  if ((field.type === 'string' || field.type === 'textarea') && !limits) {
    return `typeof value === 'string' && value !== '' && isKnownText(value, memories[${index}])`
  }
  return `checks[${index}](value, undefined) === undefined`
}

/** What a field held the last time. Roles, models and tools repeat, and comparing is much cheaper than scanning. */
interface Memory {
  text: string
  readonly list: string[]
}

/** Longer texts and lists are not kept, so that no memory is held on their behalf. */
const KEPT_TEXT = 1000
const KEPT_ELEMENTS = 16

function isKnownText(text: string, memory: Memory): boolean {
  if (text === memory.text) return true
  if (!isStorable(text)) return false
  if (text.length <= KEPT_TEXT) memory.text = text
  return true
}

function isKnownList(value: unknown, { list }: Memory): boolean {
  try {
    if (!Array.isArray(value)) return false
    for (let index = 0; index < value.length; index++) {
      const text: unknown = value[index]
      if (typeof text !== 'string') return false
      if (index < list.length && text === list[index]) continue
      if (!isStorable(text)) return false
      if (index < KEPT_ELEMENTS && index <= list.length && text.length <= KEPT_TEXT) list[index] = text
    }
    return true
  } catch {
    // A proxy of the caller's; the check of the field reports it.
    return false
  }
}
