import { guarded } from '../errors/guard.js'
import { isRecord } from '../json/is-record.js'
import { pointerTo } from '../json/pointer.js'
import { isStorable } from '../json/storable.js'
import { FIELD_TYPES, type FieldDefinition } from '../schemas/field-definition.js'
import { isAbsent } from './absent.js'
import { patternProblem } from './pattern.js'
import { validateField } from './validate.js'

/** A problem with a type's schema; `pointer` is relative to the schema. */
export interface DefinitionProblem {
  readonly pointer: string
  readonly message: string
}

type Report = (pointer: string, message: string) => void

/** Lists everything that makes field definitions unusable, for any input. Never throws. */
export const definitionProblems = guarded('definitionProblems', definitionProblemsUnchecked)

function definitionProblemsUnchecked(schema: readonly FieldDefinition[]): DefinitionProblem[] {
  if (!Array.isArray(schema)) return [{ pointer: '', message: 'The schema must be a list of field definitions.' }]
  const problems: DefinitionProblem[] = []
  const names = new Set<unknown>()
  schema.forEach((field: unknown, index) => {
    const base = pointerTo('', index)
    if (!isRecord(field)) {
      problems.push({ pointer: base, message: 'A field definition must be an object.' })
      return
    }
    const who = `Field ${JSON.stringify(field.name) ?? 'without a name'}`
    const report: Report = (pointer, message) =>
      problems.push({ pointer: base + pointer, message: `${who} ${message}.` })
    if (names.has(field.name)) report('/name', 'is defined more than once')
    names.add(field.name)
    const before = problems.length
    checkKeys(field, report)
    checkOptions(field, report)
    checkLimits(field.validation, report)
    // The default is checked against the definition, so only against a sound one.
    if (problems.length === before) checkDefault(field as FieldDefinition, report)
  })
  return problems
}

function checkKeys({ name, type, label, description, required }: Record<string, unknown>, report: Report): void {
  if (typeof name !== 'string' || name === '') report('/name', 'must have a non-empty name')
  else if (!isStorable(name)) report('/name', 'must not have U+0000 or a lone surrogate in its name')
  if (!FIELD_TYPES.includes(type as never)) report('/type', `must have one of the types ${FIELD_TYPES.join(', ')}`)
  if (required !== undefined && typeof required !== 'boolean')
    report('/required', 'must have true or false as `required`')
  for (const [key, text] of Object.entries({ label, description })) {
    if (text !== undefined && typeof text !== 'string') report(`/${key}`, `must have a string as \`${key}\``)
  }
}

function checkOptions({ type, options }: Record<string, unknown>, report: Report): void {
  const needed = type === 'select' || type === 'multi-select'
  if (options === undefined) {
    if (needed) report('/options', 'needs options to choose from')
  } else if (!Array.isArray(options) || !options.every((option) => typeof option === 'string' && isStorable(option))) {
    report('/options', 'must have a list of strings as `options`')
  } else if (needed && options.length === 0) {
    report('/options', 'needs options to choose from')
  } else if (new Set(options).size < options.length) {
    report('/options', 'has an option more than once')
  }
}

function checkLimits(validation: unknown, report: Report): void {
  if (validation === undefined) return
  if (!isRecord(validation)) {
    report('/validation', 'must have an object as `validation`')
    return
  }
  const { minLength, maxLength, min, max, pattern } = validation
  for (const [key, limit] of Object.entries({ minLength, maxLength })) {
    if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 0)) {
      report(`/validation/${key}`, `must have a non-negative integer as \`${key}\``)
    }
  }
  for (const [key, limit] of Object.entries({ min, max })) {
    if (limit !== undefined && !Number.isFinite(limit)) report(`/validation/${key}`, `must have a number as \`${key}\``)
  }
  if (Number(minLength) > Number(maxLength)) report('/validation', 'has a `minLength` above its `maxLength`')
  if (Number(min) > Number(max)) report('/validation', 'has a `min` above its `max`')
  const unusable = pattern === undefined ? undefined : patternProblem(pattern as string)
  if (unusable !== undefined) report('/validation/pattern', `has a pattern that ${unusable}`)
}

function checkDefault(field: FieldDefinition, report: Report): void {
  if (isAbsent(field.defaultValue)) return
  for (const { message } of validateField(field.defaultValue, field)) {
    report('/defaultValue', `has an invalid default value: ${message.replace(/\.$/, '')}`)
  }
}
