import { takeList } from '@minions/core/plugin'
import { modelsError } from '../errors.js'

const DEEPEST = 100

/**
 * Approximate number of characters of a request, from which its tokens are estimated. Binary parts count by their
 * bytes. Throws `VALIDATION_FAILED` for a request that is too deep or too long, before it is processed.
 */
export function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  if (depth > DEEPEST) {
    throw modelsError('VALIDATION_FAILED', `A request to a model may be nested ${DEEPEST} levels deep at most.`)
  }
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (Array.isArray(value)) {
    return takeList('A part of a request to a model', value).reduce<number>(
      (sum, each) => sum + charactersIn(each, depth + 1),
      0,
    )
  }
  return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + charactersIn(each, depth + 1), 0)
}
