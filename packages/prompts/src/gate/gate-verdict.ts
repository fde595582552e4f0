import { guarded } from '@minions/core/plugin'
import { compareScores, type ScorePair } from '../compare/compare-scores.js'
import type { GateDimension } from './gate-report.js'

export interface VerdictOptions {
  /** Margin in points by which the candidate may be worse and still pass. Default: 5. */
  readonly margin?: number | undefined
  readonly seed?: number | undefined
}

const DEFAULT_MARGIN = 5

/**
 * Judges each dimension. It regressed if the paired permutation test of `compareScores` says so, which happens by
 * chance in at most 5 % of cases over all dimensions; it passed if no test scored lower, or if the 95 % confidence
 * interval of the mean difference ends above minus the margin; otherwise there are too few tests to tell.
 */
export const judgeDimensions = guarded('judgeDimensions', judgeDimensionsUnchecked)

function judgeDimensionsUnchecked(pairs: readonly ScorePair[], options: VerdictOptions = {}): GateDimension[] {
  const { margin = DEFAULT_MARGIN, seed = 1 } = options
  return compareScores(pairs, { seed }).dimensions.map((measured): GateDimension => {
    const { dimension, n, meanA, meanB, meanDifference, confidenceInterval, adjustedPValue, verdict } = measured
    const isNeverLower = pairs.every(({ a, b }) => (b[dimension] ?? 0) >= (a[dimension] ?? 0) || !(dimension in b))
    const isClose = isNeverLower || (confidenceInterval !== null && confidenceInterval[0] >= -margin)
    return {
      dimension,
      n,
      meanBaseline: meanA,
      meanCandidate: meanB,
      meanDifference,
      confidenceInterval,
      adjustedPValue,
      verdict: verdict === 'a' ? 'regressed' : isClose ? 'passed' : 'inconclusive',
    }
  })
}
