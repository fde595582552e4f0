import { coreError, quote } from '@minions/core'

/** No system takes longer ones. */
const LONGEST_PATH = 100_000

/** Throws `VALIDATION_FAILED` unless a value can be part of a path. `what` begins the message. */
export function requireText(what: string, value: unknown): void {
  if (typeof value === 'string' && value.length <= LONGEST_PATH && !value.includes('\0')) return
  throw coreError('VALIDATION_FAILED', `${what} must be a string without U+0000, not ${quote(value)}.`)
}

/** Throws `VALIDATION_FAILED` unless a value is a string. `what` begins the message. */
export function requireString(what: string, value: unknown): void {
  if (typeof value !== 'string') throw coreError('VALIDATION_FAILED', `${what} must be a string, not ${quote(value)}.`)
}
