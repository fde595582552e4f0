import { isRecord } from '@minions/core/json'
import { assertValid, attributeIssue } from './validation.js'

/** What a part must be: a function, or an object with such a method. */
type PartKind = 'function' | { readonly method: string }

/** Throws `VALIDATION_FAILED` unless options are an object. */
export function checkObject(what: string, options: unknown): void {
  if (!isRecord(options)) refuse(what, 'options', 'Its options must be an object.', options)
}

/** Throws `VALIDATION_FAILED` unless a time is absent or a number of milliseconds, `Infinity` included. */
export function checkMillis(what: string, field: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return
  refuse(what, field, `"${field}" must be a number of milliseconds from 0.`, value)
}

/** Throws `VALIDATION_FAILED` unless a number of retries is absent or a whole number from 0. */
export function checkRetries(what: string, value: unknown): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return
  refuse(what, 'maxRetries', '"maxRetries" must be a whole number from 0.', value)
}

/** Throws `VALIDATION_FAILED` unless a signal is absent or an `AbortSignal`, of whichever realm. */
export function checkSignal(what: string, signal: unknown): void {
  const isSignal = isRecord(signal) && 'aborted' in signal && typeof signal.addEventListener === 'function'
  if (signal !== undefined && !isSignal) refuse(what, 'signal', '"signal" must be an AbortSignal.')
}

/** Throws `VALIDATION_FAILED` when a part that is there is not what it should be. */
export function checkParts(what: string, parts: object, kinds: Readonly<Record<string, PartKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) {
    const part = (parts as Record<string, unknown>)[name]
    if (part === undefined) continue
    if (kind === 'function') {
      if (typeof part !== 'function') refuse(what, name, `"${name}" must be a function.`, part)
    } else if (!isRecord(part) || typeof part[kind.method] !== 'function') {
      refuse(what, name, `"${name}" must be an object with a method "${kind.method}".`, part)
    }
  }
}

function refuse(what: string, field: string, message: string, value?: unknown): void {
  assertValid(what, [attributeIssue(field, 'TYPE', message, value)])
}
