import { isMinionsError, MinionsError } from './minions-error.js'
import { cut } from './quote.js'

type AnyFunction = (...args: never[]) => unknown

export interface GuardOptions {
  /** The code of the error; `VALIDATION_FAILED` unless given. */
  readonly code?: string
  /** It calls functions that it is given, whose errors pass through as long as the arguments can be read. */
  readonly callsBack?: boolean
}

/** As much of the arguments as is read again to find out whether they can be. */
const MOST_READ = 1000
const DEEPEST_READ = 16

/**
 * The same function, for callers that may pass anything: where its arguments make it fail with a raw error, also one that
 * a getter or proxy of theirs throws, it fails with a `MinionsError`. Errors of the operating system pass through. Costs
 * next to nothing unless it fails. `what` begins the message.
 */
export function guarded<F extends AnyFunction>(what: string, run: F, options: GuardOptions = {}): F {
  const guard = function (this: unknown, ...args: never[]): unknown {
    try {
      const result = run.apply(this, args)
      return result instanceof Promise ? result.catch((error: unknown) => refuse(what, args, error, options)) : result
    } catch (error) {
      return refuse(what, args, error, options)
    }
  }
  return Object.defineProperty(guard, 'length', { value: run.length }) as unknown as F
}

export interface GuardMethodsOptions {
  /** Methods that call functions they are given. */
  readonly callsBack?: readonly string[]
  /** Methods that cannot fail and are called too often to be guarded. */
  readonly except?: readonly string[]
}

/** Guards the methods of a class, static ones too. */
export function guardMethods(
  target: { readonly name: string; readonly prototype: object },
  { callsBack = [], except = [] }: GuardMethodsOptions = {},
): void {
  for (const owner of [target, target.prototype]) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof property.value !== 'function' || name === 'constructor' || except.includes(name)) continue
      if (!property.writable) continue
      const value = guarded(`${target.name}.${name}`, property.value, { callsBack: callsBack.includes(name) })
      Object.defineProperty(owner, name, { ...property, value })
    }
  }
}

function refuse(what: string, args: readonly unknown[], error: unknown, options: GuardOptions): never {
  if (isMinionsError(error) || isSystemError(error)) throw error
  if (options.callsBack && !isUnreadable(args)) throw error
  const reason = error instanceof TypeError || error instanceof RangeError ? `: ${cut(error.message)}` : ''
  throw new MinionsError(options.code ?? 'VALIDATION_FAILED', `${what} cannot work with these arguments${reason}.`, {
    cause: error,
  })
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function isUnreadable(args: readonly unknown[]): boolean {
  let remaining = MOST_READ
  const read = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > DEEPEST_READ) return
    for (const key in value) {
      if (--remaining < 0) return
      read((value as Record<string, unknown>)[key], depth + 1)
    }
    if (!Array.isArray(value)) String(value)
  }
  try {
    for (const value of args) read(value, 0)
    return false
  } catch {
    return true
  }
}
