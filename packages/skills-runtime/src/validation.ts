import { getOwn, isRecord, pointerSegments, pointerTo } from '@minions/core/json'
import { type Issue, isShort, ownSchema } from '@minions/core/schema'
import { skillsError } from './errors.js'

/** One broken rule: the attribute it concerns, a stable code, where exactly, and the value when it is short. */
export interface ValidationIssue {
  /** The attribute's name; for values inside parameters the dotted path. Empty for the value as a whole. */
  readonly field: string
  readonly code: string
  readonly message: string
  /** JSON Pointer to the offending value. */
  readonly pointer: string
  readonly value?: unknown
}

/** Everything that is wrong with a value; `valid` is true when nothing is. */
export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly ValidationIssue[]
}

/** A list longer than this helps no one. */
const MOST_ISSUES = 100

const CODES: Readonly<Record<string, string>> = {
  required: 'REQUIRED',
  dependentRequired: 'REQUIRED',
  type: 'TYPE',
  enum: 'ENUM',
  const: 'ENUM',
  format: 'FORMAT',
  pattern: 'PATTERN',
  minLength: 'MIN_LENGTH',
  maxLength: 'MAX_LENGTH',
  minimum: 'MIN',
  exclusiveMinimum: 'MIN',
  maximum: 'MAX',
  exclusiveMaximum: 'MAX',
  multipleOf: 'MULTIPLE_OF',
  minItems: 'MIN_ITEMS',
  maxItems: 'MAX_ITEMS',
  uniqueItems: 'UNIQUE',
  minProperties: 'MIN_PROPERTIES',
  maxProperties: 'MAX_PROPERTIES',
  additionalProperties: 'UNKNOWN_PROPERTY',
  unevaluatedProperties: 'UNKNOWN_PROPERTY',
  items: 'UNKNOWN_ITEM',
  unevaluatedItems: 'UNKNOWN_ITEM',
  propertyNames: 'PROPERTY_NAME',
  depth: 'DEPTH',
  unreadable: 'UNREADABLE',
}

/** Issues in the form of this package: a stable code, and a sentence that names the value. */
export function validationIssues(issues: readonly Issue[]): ValidationIssue[] {
  return issues.slice(0, MOST_ISSUES).map(({ pointer, code, message, received }) => {
    const field = pointerSegments(pointer).join('.')
    return {
      field,
      code: getOwn(CODES, code) ?? 'SCHEMA',
      message: `${field === '' ? 'The value' : `"${field}"`} ${message}.`,
      pointer,
      ...(received !== undefined && { value: received }),
    }
  })
}

/** Checks a record against one of our own schemas; errors name the attribute, and their pointer where exactly. */
export function recordValidator(what: string, schema: object): (record: object) => ValidationIssue[] {
  const compiled = ownSchema(schema)
  return (record) => {
    if (compiled().check(record)) return []
    const issues = compiled().issues(record)
    // The line feed that other languages let through is refused by the pattern itself here.
    const telling = issues.filter(({ code, pointer }) => code !== 'not' || isAlone(pointer, issues))
    return validationIssues(telling).map((issue) => {
      const [field = ''] = pointerSegments(issue.pointer)
      return { ...issue, field, message: `The ${what}'s ${issue.message}` }
    })
  }
}

function isAlone(pointer: string, issues: readonly Issue[]): boolean {
  return issues.filter((issue) => issue.pointer === pointer).length === 1
}

export function validationResult(errors: readonly ValidationIssue[]): ValidationResult {
  return { valid: errors.length === 0, errors }
}

/** The result of a check whose value may be anything at all, also something that throws when it is read. */
export function checkAnything(what: string, check: () => ValidationResult): ValidationResult {
  try {
    return check()
  } catch {
    return validationResult([attributeIssue('', 'UNREADABLE', `${what} must be plain data; reading it failed.`)])
  }
}

/** A rule broken by one attribute of a record. */
export function attributeIssue(field: string, code: string, message: string, value?: unknown): ValidationIssue {
  const issue = { field, code, message, pointer: field === '' ? '' : pointerTo('', field) }
  return isShort(value) ? { ...issue, value } : issue
}

/** Throws `VALIDATION_FAILED` naming `what` unless there are no errors. */
export function assertValid(what: string, errors: readonly ValidationIssue[]): void {
  const first = errors[0]
  if (first === undefined) return
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  throw skillsError('VALIDATION_FAILED', `${what} is not valid: ${first.message}${more}`, { details: { errors } })
}

/** A value in quotes as errors show it, or the given words when it is not a short text. */
export function quoted(value: unknown, otherwise: string): string {
  return typeof value === 'string' && isShort(value) ? `"${value}"` : otherwise
}

/** How errors speak of a skill that may be anything at all. */
export function skillTitle(skill: unknown): string {
  const name = isRecord(skill) ? getOwn(skill, 'name') : undefined
  return typeof name === 'string' && isShort(name) ? `The skill "${name}"` : 'The skill'
}
