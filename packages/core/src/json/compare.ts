import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { quote } from '../errors/quote.js'
import type { JsonScalar } from './json-value.js'

/** Compares strings by code point. `<` compares UTF-16 units, which sorts U+FFFD after U+1F600. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  if (typeof a !== 'string' || typeof b !== 'string') {
    throw coreError('VALIDATION_FAILED', `Texts are compared, not ${quote(a)} and ${quote(b)}.`)
  }
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return surrogateLast(left) - surrogateLast(right)
  }
  return a.length - b.length
}

/** Sorts surrogates above all other units, because they form code points above them. */
function surrogateLast(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return unit + 0x2000
  return unit >= 0xe000 ? unit - 0x800 : unit
}

function rank(value: JsonScalar | undefined): number {
  if (value === null || value === undefined) return 0
  if (typeof value === 'boolean') return 1
  return typeof value === 'number' ? 2 : 3
}

/** The sort order of all backends: missing and null, then false < true, then numbers, then strings by code point. */
export function compareScalars(a: JsonScalar | undefined, b: JsonScalar | undefined): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  const difference = rank(a) - rank(b)
  if (difference !== 0 || a === null || a === undefined || typeof a === 'string') return difference
  // Infinity minus itself is NaN, but the values are equal.
  return Number(a) - Number(b) || 0
}

/** The same for callers that may pass anything; inside, it is called too often. */
export const guardedCompareScalars = guarded('compareScalars', compareScalars)
