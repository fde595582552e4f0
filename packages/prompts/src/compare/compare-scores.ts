import { getOrInsert } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { promptsError } from '../errors.js'
import { assertScores, type Scores } from '../scoring/scores.js'
import type { Comparison, DimensionComparison, Verdict } from './comparison.js'
import { holmAdjusted } from './holm.js'
import { permutationPValue } from './permutation-test.js'
import { type RandomSource, randomFrom } from './random.js'
import { studentQuantile95 } from './student.js'

/** The scores that both prompts got on the same test. */
export interface ScorePair {
  readonly a: Scores
  readonly b: Scores
}

export interface CompareScoresOptions {
  /** Seed for sampled tests; default 1. The same seed gives the same numbers. */
  readonly seed?: number
}

const ALPHA = 0.05

/**
 * Compares the scores of two prompts on the same tests. Throws `SCORES_INVALID` for scores that are not integers from 0
 * to 100 and `COMPARISON_INVALID` for an unusable seed or when no test has a dimension scored for both prompts.
 */
export const compareScores = guarded('compareScores', compareScoresUnchecked)

function compareScoresUnchecked(pairs: readonly ScorePair[], options: CompareScoresOptions = {}): Comparison {
  const { seed = 1 } = options
  if (!Number.isSafeInteger(seed)) {
    throw promptsError('COMPARISON_INVALID', `The seed of a comparison must be an integer, not ${String(seed)}.`)
  }
  const differences = byDimension(pairs)
  if (differences.size === 0) {
    throw promptsError(
      'COMPARISON_INVALID',
      'There is nothing to compare: no test has scores for both prompts in the same dimension.',
    )
  }
  const random = randomFrom(seed)
  const measured = [...differences].map(([dimension, scores]) => measure(dimension, scores, random))
  return { ...judged(measured), seed }
}

/** The verdict over several dimensions, with at most 5 % false winners overall. */
export function judged(
  measured: readonly Omit<DimensionComparison, 'adjustedPValue' | 'verdict'>[],
): Pick<Comparison, 'dimensions' | 'verdict'> {
  const adjusted = holmAdjusted(measured.map(({ pValue }) => pValue))
  const dimensions = measured.map((values, index): DimensionComparison => {
    const adjustedPValue = adjusted[index] as number
    return { ...values, adjustedPValue, verdict: judge(values.meanDifference, adjustedPValue) }
  })
  return { dimensions, verdict: overall(dimensions) }
}

type PairedScores = (readonly [a: number, b: number])[]

function byDimension(pairs: readonly ScorePair[]): Map<string, PairedScores> {
  const dimensions = new Map<string, PairedScores>()
  for (const { a, b } of pairs) {
    assertScores(a)
    assertScores(b)
    for (const [dimension, score] of Object.entries(a)) {
      if (!Object.hasOwn(b, dimension)) continue
      getOrInsert(dimensions, dimension, () => []).push([score, b[dimension] as number])
    }
  }
  return dimensions
}

function measure(dimension: string, scores: PairedScores, random: RandomSource) {
  const n = scores.length
  const differences = scores.map(([a, b]) => b - a)
  const meanDifference = mean(differences)
  const deviation = n < 2 ? 0 : Math.sqrt(differences.reduce((sum, d) => sum + (d - meanDifference) ** 2, 0) / (n - 1))
  const margin = n < 2 ? 0 : (studentQuantile95(n - 1) * deviation) / Math.sqrt(n)
  return {
    dimension,
    n,
    meanA: mean(scores.map(([a]) => a)),
    meanB: mean(scores.map(([, b]) => b)),
    meanDifference,
    confidenceInterval: n < 2 ? null : ([meanDifference - margin, meanDifference + margin] as const),
    pValue: permutationPValue(differences, random),
    effectSize: deviation > 0 ? meanDifference / deviation : meanDifference === 0 ? 0 : null,
  }
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function judge(meanDifference: number, adjustedPValue: number): Verdict {
  if (adjustedPValue > ALPHA) return 'inconclusive'
  return meanDifference > 0 ? 'b' : 'a'
}

function overall(dimensions: readonly DimensionComparison[]): Verdict {
  const winners = new Set(dimensions.map(({ verdict }) => verdict))
  winners.delete('inconclusive')
  const [winner] = winners
  return winners.size === 1 && winner !== undefined ? winner : 'inconclusive'
}
