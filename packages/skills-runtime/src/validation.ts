import { getOwn, isRecord, pointerSegments, pointerTo } from '@minions/core/json'
import { type Issue, isShort, ownSchema } from '@minions/core/schema'
import { skillsError } from './errors.js'

/** One broken rule: the attribute, a stable code, the exact location, and the value if it is short. */
export interface ValidationIssue {
  /** The attribute's name; for values inside parameters the dotted path. Empty for the value as a whole. */
  readonly field: string
  readonly code: string
  readonly message: string
  /** JSON Pointer to the offending value. */
  readonly pointer: string
  readonly value?: unknown
}

/** All problems of a value; `valid` is true if there are none. */
export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly ValidationIssue[]
}

/** Maximum number of reported problems. */
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
    // The trailing line feed that other languages allow is refused by the pattern itself here.
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

/** The result of a check whose value may be anything, even something that throws when read. */
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

/** A value in quotes for error messages, or the given words if it is not a short string. */
export function quoted(value: unknown, otherwise: string): string {
  return typeof value === 'string' && isShort(value) ? `"${value}"` : otherwise
}

/** The name of a skill for errors; the skill may be anything. */
export function skillTitle(skill: unknown): string {
  const name = isRecord(skill) ? getOwn(skill, 'name') : undefined
  return typeof name === 'string' && isShort(name) ? `The skill "${name}"` : 'The skill'
}
