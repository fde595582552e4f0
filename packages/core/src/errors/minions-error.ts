import { cut, quote } from './quote.js'

/** Marks errors of every copy of this package, since `instanceof` fails when two copies meet in one process. */
const brand = Symbol.for('@minions/error')

const LONGEST_MESSAGE = 4000
/** Maximum length of the details as JSON; larger ones are truncated. */
const LONGEST_DETAILS = 500_000

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
    const { details, ...rest } = readable(options)
    super(typeof message === 'string' ? cut(message, LONGEST_MESSAGE) : quote(message), rest)
    this.name = 'MinionsError'
    this.code = code
    this.details = details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  toJSON(): { code: Code; message: string; details: Readonly<Record<string, unknown>> } {
    return { code: this.code, message: this.message, details: writable(this.details) }
  }
}

/** The options as they can be read. What they throw becomes the cause, since the error that they belong to matters more. */
function readable(options: MinionsErrorOptions): MinionsErrorOptions {
  try {
    const { details = {} } = options
    return Object.hasOwn(options, 'cause') ? { details, cause: options.cause } : { details }
  } catch (cause) {
    return { cause }
  }
}

/** Details in a form that serialises to JSON: values that do not, or are too long, are replaced by their names. */
function writable(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (isWritable(details, LONGEST_DETAILS)) return details
  const names = Object.keys(details)
  const longest = LONGEST_DETAILS / names.length
  return Object.fromEntries(
    names.map((name) => [name, isWritable(details[name], longest) ? details[name] : quote(details[name])]),
  )
}

function isWritable(value: unknown, longest: number): boolean {
  try {
    return (JSON.stringify(value) ?? '').length <= longest
  } catch {
    return false
  }
}

/** True for a `MinionsError` from any copy of core, optionally with one particular code. */
export function isMinionsError<Code extends string = string>(error: unknown, code?: Code): error is MinionsError<Code> {
  return hasBrand(error, brand) && (code === undefined || (error as MinionsError).code === code)
}

/** True if an object carries our mark. A proxy that cannot be read does not. */
export function hasBrand(value: unknown, mark: symbol): boolean {
  try {
    return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true
  } catch {
    return false
  }
}
