import { jsonProblem } from '../json/copy-json.js'
import { isStorable } from '../json/storable.js'
import type { FieldDefinition, FieldType } from '../schemas/field-definition.js'
import { isDate } from '../time/date-time.js'
import type { Problem, ValidationCode } from './codes.js'
import { isEmail, isUrl } from './formats.js'

/** Says what keeps a present value from being one of the field: its type, its format, its options. */
export type ValueCheck = (value: unknown) => Problem | undefined

type CheckMaker = (field: FieldDefinition) => ValueCheck

const DATE_RULE =
  'must be an ISO 8601 date such as 2024-01-15 or 2024-01-15T10:30:00Z, on a day that exists and not in a leap second (:60)'

const MAKERS: Readonly<Record<FieldType, CheckMaker>> = {
  string: textCheck,
  textarea: textCheck,
  number: (field) => plainCheck(field, 'must be a finite number', Number.isFinite),
  boolean: (field) => plainCheck(field, 'must be true or false', (value) => typeof value === 'boolean'),
  date: (field) => formatCheck(field, DATE_RULE, isDate),
  url: (field) => formatCheck(field, 'must be an http:// or https:// address with a host', isUrl),
  email: (field) => formatCheck(field, 'must be an e-mail address', isEmail),
  select: selectCheck,
  'multi-select': guarded(multiSelectCheck),
  tags: guarded(tagsCheck),
  json: guarded(jsonCheck),
  array: guarded(arrayCheck),
}

export function compileValueCheck(field: FieldDefinition): ValueCheck {
  if (Object.hasOwn(MAKERS, field.type)) return MAKERS[field.type](field)
  const unknown = problem(field, 'unknown_type', `has the unknown type ${JSON.stringify(field.type)}`)
  return () => unknown
}

export function problem(field: FieldDefinition, code: ValidationCode, text: string): Problem {
  return { code, message: `Field ${JSON.stringify(field.name)} ${text}.` }
}

function plainCheck(field: FieldDefinition, text: string, accepts: (value: unknown) => boolean): ValueCheck {
  const wrongType = problem(field, 'type', text)
  return (value) => (accepts(value) ? undefined : wrongType)
}

function textCheck(field: FieldDefinition): ValueCheck {
  const wrongType = problem(field, 'type', 'must be a string')
  const unstorable = problem(field, 'characters', 'must not contain U+0000 or a lone surrogate')
  return (value) => {
    if (typeof value !== 'string') return wrongType
    return isStorable(value) ? undefined : unstorable
  }
}

function formatCheck(field: FieldDefinition, text: string, accepts: (text: string) => boolean): ValueCheck {
  const wrongType = problem(field, 'type', text)
  const wrongFormat = problem(field, 'format', text)
  return (value) => {
    if (typeof value !== 'string') return wrongType
    return accepts(value) ? undefined : wrongFormat
  }
}

/** The options of a select field; empty for a definition that has none or something else in their place. */
export function optionsOf(field: FieldDefinition): readonly string[] {
  return Array.isArray(field.options) ? field.options : []
}

function selectCheck(field: FieldDefinition): ValueCheck {
  const options = new Set(optionsOf(field))
  const wrongType = problem(field, 'type', 'must be a string')
  const wrongOption = problem(field, 'option', mustBeAnOption('', options))
  return (value) => {
    if (typeof value !== 'string') return wrongType
    return options.has(value) ? undefined : wrongOption
  }
}

function multiSelectCheck(field: FieldDefinition): ValueCheck {
  const options = new Set<unknown>(optionsOf(field))
  const wrongType = problem(field, 'type', 'must be a list of options')
  return (value) => {
    if (!Array.isArray(value)) return wrongType
    const wrong = indexesOf(value, (element) => !options.has(element))
    if (wrong === undefined && options.size > 0) return undefined
    return problem(field, 'option', mustBeAnOption(wrong ?? '', options))
  }
}

function tagsCheck(field: FieldDefinition): ValueCheck {
  const wrongType = problem(field, 'type', 'must be a list of strings')
  return (value) => {
    if (!Array.isArray(value)) return wrongType
    const notText = indexesOf(value, (element) => typeof element !== 'string')
    if (notText !== undefined) return problem(field, 'type', `${notText}must be a string`)
    const unstorable = indexesOf(value, (element) => !isStorable(element))
    if (unstorable === undefined) return undefined
    return problem(field, 'characters', `${unstorable}must not contain U+0000 or a lone surrogate`)
  }
}

function jsonCheck(field: FieldDefinition): ValueCheck {
  return (value) => {
    const found = jsonProblem(value)
    if (found === undefined) return undefined
    return problem(field, 'json', `is not JSON that can be stored: ${found.pointer || 'it'} ${found.message}`)
  }
}

function arrayCheck(field: FieldDefinition): ValueCheck {
  const wrongType = problem(field, 'type', 'must be a list')
  const elements = jsonCheck(field)
  return (value) => (Array.isArray(value) ? elements(value) : wrongType)
}

/** For values with something inside: a getter or a proxy of the caller's may throw. */
function guarded(make: CheckMaker): CheckMaker {
  return (field) => {
    const check = make(field)
    return (value) => {
      try {
        return check(value)
      } catch (error) {
        return problem(field, 'json', `cannot be read: ${String(error)}`)
      }
    }
  }
}

const LISTED = 10

function mustBeAnOption(elements: string, options: ReadonlySet<unknown>): string {
  if (options.size === 0) return 'has no options to choose from'
  const rest = options.size > LISTED ? ` or one of ${options.size - LISTED} more` : ''
  return `${elements}must be one of ${[...options].slice(0, LISTED).join(', ')}${rest}`
}

/** Names the elements that break a rule: "at 0, 2 "; `undefined` when none does. */
function indexesOf<T>(list: readonly T[], breaks: (element: T) => boolean): string | undefined {
  let found: number[] | undefined
  for (let index = 0; index < list.length; index++) {
    if (!breaks(list[index] as T)) continue
    found ??= []
    if (found.push(index) === LISTED) break
  }
  return found && `at index ${found.join(', ')} `
}
