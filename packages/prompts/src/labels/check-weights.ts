import { promptsError } from '../errors.js'

/** Tolerance in per cent for weights that do not add up to 100 exactly, as with fractions. */
const TOLERANCE = 1e-6

/** Throws `SPLIT_INVALID` unless there are at least two weights from 0 to 100 that add up to 100. */
export function checkWeights(weights: readonly unknown[]): asserts weights is readonly number[] {
  if (weights.length < 2) {
    throw promptsError(
      'SPLIT_INVALID',
      'A split needs at least two versions; to give all traffic to one, set the label.',
    )
  }
  const wrong = weights.find((weight) => typeof weight !== 'number' || !(weight >= 0 && weight <= 100))
  if (wrong !== undefined) {
    throw promptsError(
      'SPLIT_INVALID',
      `The weight of a version must be from 0 to 100 per cent, not ${JSON.stringify(wrong)}.`,
      { details: { weight: wrong } },
    )
  }
  const sum = (weights as readonly number[]).reduce((total, weight) => total + weight, 0)
  if (Math.abs(sum - 100) <= TOLERANCE) return
  throw promptsError(
    'SPLIT_INVALID',
    `The weights of a split must add up to 100 per cent, not ${Number(sum.toFixed(6))}.`,
    { details: { sum } },
  )
}
