import { getOwn, isRecord, jsonProblem, pointerTo } from '@minions/core/json'
import { describeIssues, type Issue, isShort, issueAt, ownSchema } from '@minions/core/schema'
import { skillsError } from './errors.js'

/** All problems of a value; `valid` is true if there are none. */
export interface ValidationResult {
  readonly valid: boolean
  readonly errors: readonly Issue[]
}

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

/** Issues with the codes of this package. */
export function validationIssues(issues: readonly Issue[]): Issue[] {
  return issues.slice(0, MOST_ISSUES).map((issue) => ({ ...issue, code: getOwn(CODES, issue.code) ?? 'SCHEMA' }))
}

/** Checks a record against one of our own schemas. */
export function recordValidator(schema: object): (record: object) => Issue[] {
  const compiled = ownSchema(schema)
  return (record) => {
    if (compiled().check(record)) return []
    const issues = compiled().issues(record)
    // The trailing line feed that other languages allow is refused by the pattern itself here.
    return validationIssues(issues.filter(({ code, pointer }) => code !== 'not' || isAlone(pointer, issues)))
  }
}

function isAlone(pointer: string, issues: readonly Issue[]): boolean {
  return issues.filter((issue) => issue.pointer === pointer).length === 1
}

/** A check of what may be anything, even something that throws when read. `issuesOf` is asked about objects. */
export function validatorOf<More extends unknown[]>(
  issuesOf: (record: Record<string, unknown>, ...more: More) => readonly Issue[],
): (value: unknown, ...more: More) => ValidationResult {
  const errorsOf = (value: unknown, more: More) => {
    try {
      return isRecord(value) ? issuesOf(value, ...more) : [issueAt('', 'TYPE', 'must be an object')]
    } catch {
      return [issueAt('', 'UNREADABLE', 'must be plain data; reading it failed')]
    }
  }
  return (value, ...more) => {
    const errors = errorsOf(value, more)
    return { valid: errors.length === 0, errors }
  }
}

/** The part of a value that not every store or JSON can represent, such as U+0000. */
export function jsonIssues(value: unknown): Issue[] {
  const problem = jsonProblem(value)
  return problem === undefined ? [] : [{ ...problem, code: 'JSON' }]
}

/** The rules that are broken, of those that are given as the issue or as false. */
export function brokenOf(...rules: readonly (Issue | false)[]): Issue[] {
  return rules.filter((rule) => rule !== false)
}

/** A rule broken by one attribute of a record; without a name, by the whole record. */
export function attributeIssue(name: string, code: string, message: string, value?: unknown): Issue {
  return issueAt(name === '' ? '' : pointerTo('', name), code, message, value)
}

/** Throws `VALIDATION_FAILED` naming `what` unless there are no errors. */
export function assertValid(what: string, errors: readonly Issue[]): void {
  if (errors.length === 0) return
  const why = describeIssues(errors, 'it', 1)
  throw skillsError('VALIDATION_FAILED', `${what} is not valid: ${why}.`, { details: { errors } })
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

/** Keys may not be empty, longer than ids are, or contain characters that databases cannot store. */
export function isUsableKey(id: unknown): boolean {
  return typeof id === 'string' && id !== '' && id.length <= 128 && id.isWellFormed() && !id.includes('\0')
}
