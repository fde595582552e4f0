import { quote } from './quote.js'

/** Marks errors of every copy of this package, since `instanceof` fails when two copies meet in one process. */
const brand = Symbol.for('@minions/error')

export interface MinionsErrorOptions {
  /** Machine-readable facts about the failure; always safe to serialise as JSON. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The one error class of all Minions packages: a stable `code`, a message that says what to do, and `details`. */
export class MinionsError<Code extends string = string> extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: Code, message: string, options: MinionsErrorOptions = {}) {
    super(
      typeof message === 'string' ? message : quote(message),
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.name = 'MinionsError'
    this.code = code
    this.details = options.details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  toJSON(): { code: Code; message: string; details: Readonly<Record<string, unknown>> } {
    return { code: this.code, message: this.message, details: this.details }
  }
}

/** True for a `MinionsError` of any copy of core, optionally with one particular code. */
export function isMinionsError<Code extends string = string>(error: unknown, code?: Code): error is MinionsError<Code> {
  return hasBrand(error, brand) && (code === undefined || (error as MinionsError).code === code)
}

/** Whether an object carries a mark of ours. A proxy that cannot be read does not. */
export function hasBrand(value: unknown, mark: symbol): boolean {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true
  } catch {
    return false
  }
}
