import { isRecord } from '@minions/core/json'
import { assertValid, attributeIssue } from './validation.js'

/** The required shape of a part: a function, or an object with a method. */
type PartKind = 'function' | { readonly method: string }

/** Throws `VALIDATION_FAILED` unless options are an object. */
export function checkObject(what: string, options: unknown): void {
  if (!isRecord(options)) refuse(what, 'options', 'must be an object', options)
}

/** Throws `VALIDATION_FAILED` unless a time is absent or a number of milliseconds, including `Infinity`. */
export function checkMillis(what: string, field: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  refuse(what, field, 'must be a non-negative number of milliseconds', value)
}

/** Throws `VALIDATION_FAILED` unless a number of retries is absent or a non-negative whole number. */
export function checkRetries(what: string, value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return
  refuse(what, 'maxRetries', 'must be a non-negative whole number', value)
}

/** Throws `VALIDATION_FAILED` unless a signal is absent or an `AbortSignal` of any realm. */
export function checkSignal(what: string, signal: unknown): void {
  const isSignal = isRecord(signal) && 'aborted' in signal && typeof signal.addEventListener === 'function'
  if (signal !== undefined && !isSignal) refuse(what, 'signal', 'must be an AbortSignal')
}

/** Throws `VALIDATION_FAILED` if a given part has the wrong shape. */
export function checkParts(what: string, parts: object, kinds: Readonly<Record<string, PartKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const part = (parts as Record<string, unknown>)[name]
    if (part === undefined) continue
    if (kind === 'function') {
      if (typeof part !== 'function') refuse(what, name, 'must be a function', part)
    } else if (!isRecord(part) || typeof part[kind.method] !== 'function') {
      refuse(what, name, `must be an object with a method "${kind.method}"`, part)
    }
  }
}

function refuse(what: string, field: string, message: string, value?: unknown): void {
  assertValid(what, [attributeIssue(field, 'TYPE', message, value)])
}
