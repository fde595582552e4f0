/** Marks errors of all Minions packages, so that `isMinionsError` of `@minions/core` recognises these too. */
const brand = Symbol.for('@minions/error')

/** Codes of errors of the client itself; all others come from the server and its operations. */
export const CLIENT_ERROR_CODES = {
  UNREACHABLE: 'The server cannot be reached; the cause says why.',
  UNEXPECTED_ANSWER:
    'The answer did not come from a Minions server, or a proxy intercepted it; `details.status` is its status.',
  CANCELLED: 'The caller cancelled the call.',
  STREAM_CUT: 'The server ended a stream before its end.',
  VALIDATION_FAILED: 'The input cannot be sent; the message says what and why.',
}

export interface MinionsErrorOptions {
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Unreadable values are omitted: creating an error must not fail. */
function readOptions(options: MinionsErrorOptions | null): MinionsErrorOptions {
  try {
    return typeof options === 'object' ? { ...options } : {}
  } catch {
    return {}
  }
}

/** An error with a stable `code`, a message that says what to do, and `details`. */
export class MinionsError<Code extends string = string> extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, options: MinionsErrorOptions = {}) {
    const { details = {}, ...rest } = readOptions(options)
    super(typeof message === 'string' ? message : `Not a text but a ${typeof message}.`, rest)
    this.name = 'MinionsError'
    this.code = code
    this.details = details
    Object.defineProperty(this, brand, { value: true })
  }
}

export function cancelled(signal: AbortSignal | undefined): MinionsError {
  return new MinionsError('CANCELLED', 'The call was cancelled.', { cause: signal?.reason })
}

/** True for an error of any Minions package, optionally with one particular code. */
export function isMinionsError<Code extends string = string>(error: unknown, code?: Code): error is MinionsError<Code> {
  if (typeof error !== 'object' || error === null) return false
  try {
    return brand in error && (code === undefined || ('code' in error && error.code === code))
  } catch {
    // A proxy that cannot be read.
    return false
  }
}
