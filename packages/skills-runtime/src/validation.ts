import { pointerTo } from '@minions/core'
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

/** Errors repeat scalars only: an error list must stay small and JSON-safe whatever was passed in. */
export function isShort(value: unknown): boolean {
  return typeof value === 'string'
    ? value.length <= 200 && value.isWellFormed()
    : typeof value === 'boolean' || value === null || Number.isFinite(value)
}

/** Whether a value is an object whose own properties can be read as attributes. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own property, or `undefined`: attributes are never looked up on a prototype. */
export function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** Freezes plain data all the way down. The data must be JSON, so it is neither cyclic nor deep. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const child of Object.values(value)) deepFreeze(child)
  }
  return value
}

/** A value in quotes as errors show it, or the given words when it is not a short text. */
export function quoted(value: unknown, otherwise: string): string {
  return typeof value === 'string' && isShort(value) ? `"${value}"` : otherwise
}

/** How errors speak of a skill that may be anything at all. */
export function skillTitle(skill: unknown): string {
  const name = isRecord(skill) ? own(skill, 'name') : undefined
  return typeof name === 'string' && isShort(name) ? `The skill "${name}"` : 'The skill'
}
