import { coreError, quote } from '@minions/core'

/** Throws `VALIDATION_FAILED` unless a value can be part of a path. `what` begins the message. */
export function requireText(what: string, value: unknown): void {
  if (typeof value === 'string' && !value.includes('\0')) return
  throw coreError('VALIDATION_FAILED', `${what} must be a string without U+0000, not ${quote(value)}.`)
}

/** Throws `VALIDATION_FAILED` unless a value is a string. `what` begins the message. */
export function requireString(what: string, value: unknown): void {
  if (typeof value !== 'string') throw coreError('VALIDATION_FAILED', `${what} must be a string, not ${quote(value)}.`)
}
