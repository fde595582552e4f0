import { coreError } from './codes.js'
import { guarded, isRevoked } from './guard.js'
import { quote } from './quote.js'

/** Maximum number of elements in a list from a caller; longer lists are refused unread. */
const MOST_ELEMENTS = 1_000_000

/** They say themselves what is too long, and look inside nothing but what they read. */
const UNLIMITED = { anyLength: true } as const

/**
 * Reads the own properties of an object once, so that its getters cannot do harm later; undefined counts as an empty one.
 * Throws `VALIDATION_FAILED` for anything else. `what` begins the message: `The options of find`.
 */
export const takeOptions = guarded('takeOptions', takeOptionsUnchecked, UNLIMITED)

function takeOptionsUnchecked<T extends object>(what: string, options: T | null | undefined): T {
  if (options === undefined || options === null) return {} as T
  try {
    // Spreading a typed array would make a property of every number in it.
    if (typeof options === 'object' && !Array.isArray(options) && !ArrayBuffer.isView(options)) return { ...options }
  } catch (cause) {
    throw coreError('VALIDATION_FAILED', `${what} cannot be read.`, { cause })
  }
  throw coreError('VALIDATION_FAILED', `${what} must be an object, not ${quote(options)}.`)
}

/**
 * Reads the elements of a list once; a hole is undefined. Throws `VALIDATION_FAILED` for anything else, and for a list
 * longer than `most`, by default a million. `what` begins the message: `The tags`.
 */
export const takeList = guarded('takeList', takeListUnchecked, UNLIMITED)

function takeListUnchecked<T>(what: string, list: readonly T[], most: number = MOST_ELEMENTS): T[] {
  try {
    if (Array.isArray(list) && list.length <= most)
      return Array.from({ length: list.length }, (_, index) => list[index] as T)
  } catch (cause) {
    throw coreError('VALIDATION_FAILED', `${what} cannot be read.`, { cause })
  }
  throw coreError('VALIDATION_FAILED', `${what} must be a list of at most ${most} elements, not ${quote(list)}.`)
}

/** Like `takeList`, for an iterable of fewer than `most` elements. */
export const takeItems = guarded('takeItems', takeItemsUnchecked, UNLIMITED)

function takeItemsUnchecked<T>(what: string, items: Iterable<T>, most: number = MOST_ELEMENTS): T[] {
  if (Array.isArray(items)) return takeList(what, items, most)
  if (typeof items === 'string') throw coreError('VALIDATION_FAILED', `${what} must be a list, not ${quote(items)}.`)
  const taken: T[] = []
  try {
    for (const item of items) {
      if (taken.length >= most) break
      taken.push(item)
    }
    if (taken.length < most) return taken
  } catch (cause) {
    throw coreError('VALIDATION_FAILED', `${what} cannot be read.`, { cause })
  }
  throw coreError('VALIDATION_FAILED', `${what} must have fewer than ${most} elements.`)
}

/** An `AbortSignal`, or undefined if it was left out. Throws `VALIDATION_FAILED` for anything else. */
export const takeSignal = guarded('takeSignal', takeSignalUnchecked, UNLIMITED)

function takeSignalUnchecked<S extends AbortSignal | null | undefined>(what: string, signal: S): S {
  try {
    if (signal === undefined || signal === null || signal instanceof AbortSignal) return signal
  } catch (cause) {
    throw coreError('VALIDATION_FAILED', `${what} cannot be read.`, { cause })
  }
  throw coreError('VALIDATION_FAILED', `${what} must be an AbortSignal, not ${quote(signal)}.`)
}

/** A function, or undefined if it was left out. Throws `VALIDATION_FAILED` for anything else. `what` begins the message. */
export const takeFunction = guarded('takeFunction', takeFunctionUnchecked, UNLIMITED)

function takeFunctionUnchecked<F extends ((...args: never[]) => unknown) | undefined>(what: string, run: F): F {
  if (run === undefined || (typeof run === 'function' && !isRevoked(run))) return run
  throw coreError('VALIDATION_FAILED', `${what} must be a function, not ${quote(run)}.`)
}
