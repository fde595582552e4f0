import { isMinionsError, MinionsError } from './minions-error.js'
import { cut, quote } from './quote.js'

type AnyFunction = (...args: never[]) => unknown

export interface GuardOptions {
  /** Error code. Default: `VALIDATION_FAILED`. */
  readonly code?: string
  /**
   * True if it calls functions among its arguments, whose errors pass through as long as the arguments can be read;
   * `hooks` if it calls functions passed elsewhere, such as middleware.
   */
  readonly callsBack?: boolean | 'hooks'
  /** True if it accepts strings of any length, such as whole files. */
  readonly anyLength?: boolean
  /**
   * Whether the lengths of texts and lists inside the arguments are checked too: on every level if true, not at all if
   * false; those that an argument holds itself unless given.
   */
  readonly checksInside?: boolean
}

/** Longer strings and lists are refused up front; no record is nearly as large. */
const LONGEST_TEXT = 2 ** 25
const LONGEST_LIST = 10_000_000

/** Maximum amount of the arguments that is read again to find out whether they can be read. */
const MOST_READ = 1000
const DEEPEST_READ = 16

/**
 * Wraps a function for untrusted callers: where its arguments make it fail with a raw error, including one thrown by
 * their getters or proxies, it fails with a `MinionsError`. Errors of the operating system pass through. Reads only
 * lengths, of the arguments and of what they hold, unless it fails. `what` begins the message.
 */
export function guarded<F extends AnyFunction>(what: string, run: F, options: GuardOptions = {}): F {
  requireFunctionUnchecked('guarded', run)
  try {
    if (typeof options !== 'object') throw new TypeError('the options are not an object')
    const guard = guardFor(run)(what, run, { ...options })
    return Object.defineProperty(guard, 'length', { value: run.length }) as F
  } catch (cause) {
    // The function or its options cannot be read.
    throw new MinionsError('VALIDATION_FAILED', 'guarded cannot work with these arguments.', { cause })
  }
}

function guardFor(run: AnyFunction): (what: string, run: AnyFunction, options: GuardOptions) => AnyFunction {
  if (run.constructor === GeneratorFunction) return guardedGenerator
  return run.constructor === AsyncGeneratorFunction ? guardedAsyncGenerator : guardedCall
}

function guardedCall(what: string, run: AnyFunction, options: GuardOptions): AnyFunction {
  const isAsync = run.constructor === AsyncFunction
  // What calls hooks answers with promises, so it must not throw; unless it is async, it checks lengths itself.
  const checksLengths = !options.anyLength && (options.callsBack !== 'hooks' || isAsync)
  const depth = checksLengths ? depthOf(options) : 0
  // Closures that hold the arguments are created elsewhere: here, every call would allocate for them.
  return function (this: unknown, ...args: never[]): unknown {
    try {
      if (checksLengths) checkArguments(args, depth)
      const result = run.apply(this, args)
      return result instanceof Promise ? refusing(result, what, args, options) : result
    } catch (error) {
      return isAsync ? rejected(what, args, error, options) : refuse(what, args, error, options)
    }
  }
}

const GeneratorFunction = function* () {}.constructor
const AsyncGeneratorFunction = async function* () {}.constructor
const AsyncFunction = (async () => {}).constructor

function refusing(result: Promise<unknown>, what: string, args: readonly unknown[], options: GuardOptions) {
  return result.catch((error: unknown) => refuse(what, args, error, options))
}

async function rejected(what: string, args: readonly unknown[], error: unknown, options: GuardOptions): Promise<never> {
  return refuse(what, args, error, options)
}

function guardedGenerator(what: string, run: AnyFunction, options: GuardOptions): AnyFunction {
  return function* (this: unknown, ...args: never[]): Generator<unknown, unknown> {
    try {
      checkArguments(args, depthOf(options))
      return yield* run.apply(this, args) as Generator<unknown, unknown>
    } catch (error) {
      return refuse(what, args, error, options)
    }
  }
}

function guardedAsyncGenerator(what: string, run: AnyFunction, options: GuardOptions): AnyFunction {
  return async function* (this: unknown, ...args: never[]): AsyncGenerator<unknown, unknown> {
    try {
      if (!options.anyLength) checkArguments(args, depthOf(options))
      return yield* run.apply(this, args) as AsyncGenerator<unknown, unknown>
    } catch (error) {
      return refuse(what, args, error, options)
    }
  }
}

export interface GuardMethodsOptions {
  /** Methods that call functions among their arguments; true if all may, such as those that call hooks. */
  readonly callsBack?: readonly string[] | true
  /** Methods that accept strings of any length. */
  readonly anyLength?: readonly string[]
  /** Methods that check the lengths of what their arguments hold, on every level. */
  readonly checksInside?: readonly string[]
  /** Methods that need no check of what their arguments hold: they read little of it, or limit it themselves. */
  readonly skipsInside?: readonly string[]
  /** Methods that cannot fail and are called too often to be guarded. */
  readonly except?: readonly string[]
}

/** Guards the methods of a class, including static ones. */
export const guardMethods = guarded('guardMethods', guardMethodsUnchecked)

function guardMethodsUnchecked(
  target: { readonly name: string; readonly prototype: object },
  { callsBack = [], anyLength = [], checksInside = [], skipsInside = [], except = [] }: GuardMethodsOptions = {},
): void {
  for (const owner of [target, target.prototype]) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (typeof property.value !== 'function' || name === 'constructor' || except.includes(name)) continue
      if (!property.writable) continue
      const value = guarded(`${target.name}.${name}`, property.value, {
        callsBack: callsBack === true ? 'hooks' : callsBack.includes(name),
        anyLength: anyLength.includes(name),
        ...(checksInside.includes(name) && { checksInside: true }),
        ...(skipsInside.includes(name) && { checksInside: false }),
      })
      Object.defineProperty(owner, name, { ...property, value })
    }
  }
}

/** Errors of caller-supplied functions. */
const foreign = new WeakSet<object>()

/** Wraps a caller-supplied function, such as middleware or a hook, so that its errors pass every guard unchanged. */
export const callingBack = guarded('callingBack', <F extends AnyFunction>(run: F): F => {
  requireFunctionUnchecked('callingBack', run)
  const called = function (this: unknown, ...args: never[]): unknown {
    try {
      const result = run.apply(this, args)
      return result instanceof Promise ? result.catch(rethrow) : result
    } catch (error) {
      return rethrow(error)
    }
  }
  return Object.defineProperties(called, { length: { value: run.length }, name: { value: run.name } }) as F
})

/** Throws `VALIDATION_FAILED` for anything but a function. `what` begins the message: `Semaphore.run`. */
export const requireFunction = guarded('requireFunction', requireFunctionUnchecked)

function requireFunctionUnchecked(what: string, run: unknown): void {
  if (typeof run === 'function' && !isRevoked(run)) return
  throw new MinionsError('VALIDATION_FAILED', `${what} must be given a function, not ${quote(run)}.`)
}

/** Whether a function is a proxy that was revoked, which fails whenever it is called. */
export function isRevoked(run: object): boolean {
  try {
    Reflect.has(run, 'name')
    return false
  } catch {
    return true
  }
}

function rethrow(error: unknown): never {
  if (typeof error === 'object' && error !== null) foreign.add(error)
  throw error
}

/** Checks lengths of arguments and, level by level, of what they hold. Nearly every call of ours passes here. */
function checkArguments(args: readonly unknown[], depth: number): void {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]
    if (isTooLong(argument)) throw tooLong(argument, index, 'is')
    if (depth === 0 || typeof argument !== 'object' || argument === null) continue
    if (depth === 1) checkMembers(argument, index, MOST_READ)
    else checkLevels(argument, index, depth)
  }
}

function isTooLong(value: unknown): value is string | readonly unknown[] {
  if (typeof value === 'string') return value.length > LONGEST_TEXT
  return typeof value === 'object' && value !== null && isTooLongList(value)
}

function isTooLongList(value: object): value is readonly unknown[] {
  try {
    return Array.isArray(value) && value.length > LONGEST_LIST
  } catch {
    // Unreadable values are refused where they are read.
    return false
  }
}

/** Throws for a list that is longer than any of ours, which a function that walks a list of a caller's does not end with. */
export function requireLength(list: readonly unknown[]): void {
  if (isTooLong(list)) throw tooLong(list, 0, 'holds')
}

function depthOf({ checksInside }: GuardOptions): number {
  if (checksInside === undefined) return 1
  return checksInside ? DEEPEST_READ : 0
}

/** Checks the lengths of what plain objects and lists hold, level by level. */
function checkLevels(argument: object, index: number, deepest: number): void {
  let level: object[] = [argument]
  for (let depth = 0, read = 0; level.length > 0 && depth < deepest && read < MOST_READ; depth++) {
    const next: object[] = []
    for (const value of level) checkMembers(value, index, MOST_READ - read - next.length, next)
    read += next.length
    level = next
  }
}

/** Checks what an object or list holds, and adds the objects among it to those to look into, if there are any. */
function checkMembers(value: object, index: number, most: number, next?: object[]): void {
  try {
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && at < most; at++) checkMember(value[at], index, next)
      return
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== null && prototype !== Object.prototype) return
    // A loop with `for…in` would be optimized for the shape of one argument, and again for that of the next.
    const keys = Object.keys(value)
    for (let at = 0; at < keys.length && at < most; at++) {
      checkMember((value as Record<string, unknown>)[keys[at] as string], index, next)
    }
  } catch (error) {
    // What cannot be read is refused where it is read.
    if (error instanceof TooLong) throw error
  }
}

function checkMember(member: unknown, index: number, next: object[] | undefined): void {
  if (isTooLong(member)) throw tooLong(member, index, 'holds')
  if (next !== undefined && typeof member === 'object' && member !== null) next.push(member)
}

/** A text or list of the caller's that is longer than any of ours. */
class TooLong extends RangeError {}

function tooLong(value: string | readonly unknown[], index: number, verb: 'is' | 'holds'): TooLong {
  const [what, longest] =
    typeof value === 'string'
      ? [`a string of ${value.length} characters`, LONGEST_TEXT]
      : [`a list of ${value.length} elements`, LONGEST_LIST]
  return new TooLong(`argument ${index + 1} ${verb} ${what}, and at most ${longest} are accepted`)
}

function refuse(what: string, args: readonly unknown[], error: unknown, options: GuardOptions): never {
  if (isMinionsError(error) || foreign.has(Object(error)) || isSystemError(error) || isReason(args, error)) throw error
  const isRaw = error instanceof TypeError || error instanceof RangeError
  // Our own code throws no other errors, so this one comes from a called function, unless an argument threw it.
  const callsBack = error instanceof TooLong ? false : isRaw ? options.callsBack : 'hooks'
  if (callsBack && mayBeOfOthers(args, callsBack === 'hooks')) throw error
  const reason = isRaw ? `: ${cut(error.message)}` : ''
  throw new MinionsError(options.code ?? 'VALIDATION_FAILED', `${what} cannot work with these arguments${reason}.`, {
    cause: error,
  })
}

/** True if an error is the abort reason of a signal among the arguments. */
function isReason(args: readonly unknown[], error: unknown): boolean {
  return args.some((value) => {
    try {
      const signal = value instanceof AbortSignal ? value : (value as { readonly signal?: unknown } | undefined)?.signal
      return signal instanceof AbortSignal && signal.aborted && signal.reason === error
    } catch {
      return false
    }
  })
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/**
 * True if an error may come from a called function: all arguments can be read, and one of them is a function. Arguments
 * are read breadth-first, so that options behind a large one, such as a client, are read too.
 */
function mayBeOfOthers(args: readonly unknown[], callsHooks: boolean): boolean {
  try {
    checkArguments(args, 0)
    return args.map(holdsFunction).includes(true) || callsHooks
  } catch {
    return false
  }
}

/** True if a value is or holds a function. Throws what reading the value throws. */
function holdsFunction(argument: unknown): boolean {
  let level: unknown[] = [argument]
  let remaining = MOST_READ
  let found = false
  for (let depth = 0; level.length > 0 && depth <= DEEPEST_READ; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'function') {
        found = true
        // Throws for a proxy that is revoked.
        Reflect.has(value, 'name')
        convert(value)
      }
      if (typeof value !== 'object' || value === null) continue
      for (const key in value) {
        if (--remaining < 0) return found
        next.push((value as Record<string, unknown>)[key])
      }
      for (const iterator of ITERATORS) if (Object.hasOwn(value, iterator)) iterate(value, iterator)
      if (!Array.isArray(value) && Object.getPrototypeOf(value) !== null) convert(value)
    }
    level = next
  }
  return found
}

const ITERATORS = [Symbol.iterator, Symbol.asyncIterator] as const

/** Throws what iterating a value with a custom iterator throws. */
function iterate(value: object, iterator: (typeof ITERATORS)[number]): void {
  Reflect.apply(Reflect.get(value, iterator) as () => unknown, value, [])
}

/** Throws what converting a value to a string or a number throws. */
function convert(value: object): void {
  String(value)
  Number(value)
  const toJson: unknown = Reflect.get(value, 'toJSON')
  if (typeof toJson === 'function') Reflect.apply(toJson, value, [])
}
