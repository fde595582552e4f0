import { guarded } from '@minions/core/plugin'
import { issueAt } from '@minions/core/schema'
import { promptsError } from '../errors.js'
import { assertScores, type Scores } from './scores.js'

/** The result of an evaluator for an output. */
export interface Evaluation {
  readonly scores: Scores
  readonly passed: boolean
}

/** Judges an output without a model. Pure: equal outputs get equal evaluations. */
export type Evaluator = (output: string) => Evaluation

export interface EvaluatorOptions {
  /** The dimension that is scored; each evaluator has a default. */
  readonly dimension?: string
}

/** An evaluation in one dimension that passes only with the full score. */
export function scored(dimension: string, score: number): Evaluation {
  return { scores: Object.fromEntries([[dimension, score]]), passed: score === 100 }
}

/** Scores of several evaluations; where two score the same dimension, the lower one. */
export function lowestScores(all: readonly Scores[]): Scores {
  const lowest = new Map<string, number>()
  for (const [dimension, score] of all.flatMap(Object.entries<number>)) {
    lowest.set(dimension, Math.min(score, lowest.get(dimension) ?? score))
  }
  return Object.fromEntries(lowest)
}

/** Returns the evaluation, or throws `SCORES_INVALID` when it has invalid scores or no verdict. */
export const checkEvaluation = guarded('checkEvaluation', checkEvaluationUnchecked)

function checkEvaluationUnchecked(evaluation: Evaluation, dimensions: readonly string[] = []): Evaluation {
  const { scores, passed } = evaluation
  assertScores(scores, dimensions)
  if (typeof passed === 'boolean') return { scores, passed }
  throw promptsError('SCORES_INVALID', 'An evaluation must have `passed`, true or false.', {
    details: { errors: [issueAt('/passed', 'type', 'must be true or false', passed)] },
  })
}
