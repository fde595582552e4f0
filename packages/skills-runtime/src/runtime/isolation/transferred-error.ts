import type { SkillsErrorCode } from '../../errors.js'

/** An error as it crosses threads. Only these properties cross; others may not be cloneable. */
export interface TransferredError {
  readonly name: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly details?: unknown
  readonly retryable?: boolean
  readonly cause?: TransferredError
}

/**
 * The mark by which `isMinionsError` recognises errors of every copy of core; loading core in each thread would take
 * too long.
 */
const brand = Symbol.for('@minions/error')

/** Chains of causes can be circular. */
const MOST_CAUSES = 8

/** Converts any thrown value into something that can be posted. Never throws. */
export function transferError(thrown: unknown, depth = 0): TransferredError {
  try {
    if (typeof thrown !== 'object' || thrown === null) {
      return {
        name: 'Error',
        message: typeof thrown === 'string' ? thrown : `${typeof thrown} was thrown: ${String(thrown)}`,
      }
    }
    const { name, message, stack, code, details, retryable, cause } = thrown as Record<string, unknown>
    return {
      name: typeof name === 'string' ? name : 'Error',
      message: typeof message === 'string' ? message : 'something was thrown that has no message',
      ...(typeof stack === 'string' && { stack }),
      ...(typeof code === 'string' && { code }),
      ...(details !== undefined && { details: copyOf(details) }),
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(cause !== undefined && depth < MOST_CAUSES && { cause: transferError(cause, depth + 1) }),
    }
  } catch {
    return { name: 'Error', message: 'something was thrown that cannot be shown' }
  }
}

export function receiveError({ name, message, stack, cause, ...rest }: TransferredError): Error {
  const error = new Error(message, cause && { cause: receiveError(cause) })
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  if (name === 'MinionsError') Object.defineProperty(error, brand, { value: true })
  return Object.assign(error, rest)
}

export function codedError(code: SkillsErrorCode, message: string): Error {
  return receiveError({ name: 'MinionsError', message, code })
}

function copyOf(details: unknown): unknown {
  try {
    return structuredClone(details)
  } catch {
    return undefined
  }
}
