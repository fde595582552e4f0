import { getOrInsert } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { promptsError } from '../errors.js'
import { assertScores, type Scores } from '../scoring/scores.js'
import { judged, mean } from './compare-scores.js'
import type { Comparison } from './comparison.js'
import { studentQuantile95, studentTwoSided } from './student.js'

/**
 * Compares the scores of two groups of independent samples, such as the users who got one version and those who got
 * another, by Welch's test. `n` is the size of the smaller group. Throws `SCORES_INVALID`, and `COMPARISON_INVALID`
 * when no dimension has two scores in each group.
 */
export const compareGroups = guarded('compareGroups', compareGroupsUnchecked)

function compareGroupsUnchecked(a: readonly Scores[], b: readonly Scores[]): Omit<Comparison, 'seed'> {
  const [first, second] = [byDimension(a), byDimension(b)]
  const measured = [...first].flatMap(([dimension, scoresA]) => {
    const scoresB = second.get(dimension) ?? []
    return scoresA.length > 1 && scoresB.length > 1 ? [measure(dimension, scoresA, scoresB)] : []
  })
  if (measured.length > 0) return judged(measured)
  throw promptsError(
    'COMPARISON_INVALID',
    'There is nothing to compare yet: no dimension has at least two scores in each group.',
  )
}

function byDimension(all: readonly Scores[]): Map<string, number[]> {
  const dimensions = new Map<string, number[]>()
  for (const scores of all) {
    assertScores(scores)
    for (const [dimension, score] of Object.entries(scores)) {
      getOrInsert(dimensions, dimension, () => []).push(score)
    }
  }
  return dimensions
}

function measure(dimension: string, a: readonly number[], b: readonly number[]) {
  const [meanA, meanB] = [mean(a), mean(b)]
  const [partA, partB] = [variance(a, meanA) / a.length, variance(b, meanB) / b.length]
  const error = Math.sqrt(partA + partB)
  const meanDifference = meanB - meanA
  const degrees = (partA + partB) ** 2 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1))
  const pooled = Math.sqrt((partA * a.length + partB * b.length) / 2)
  const margin = error > 0 ? studentQuantile95(Math.max(1, Math.floor(degrees))) * error : 0
  return {
    dimension,
    n: Math.min(a.length, b.length),
    meanA,
    meanB,
    meanDifference,
    confidenceInterval: [meanDifference - margin, meanDifference + margin] as const,
    pValue: pValue(meanDifference, error, degrees),
    effectSize: pooled > 0 ? meanDifference / pooled : meanDifference === 0 ? 0 : null,
  }
}

/** Scores that never vary prove nothing: with so few values, that may be chance. */
function pValue(difference: number, error: number, degrees: number): number {
  return error > 0 && difference !== 0 ? studentTwoSided(difference / error, degrees) : 1
}

function variance(values: readonly number[], average: number): number {
  return values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1)
}
