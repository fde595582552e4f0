import { guarded } from '@minions/core/plugin'
import { promptsError } from '../errors.js'
import { assertScores, type Scores } from './scores.js'

/** What an evaluator says of an output. */
export interface Evaluation {
  readonly scores: Scores
  readonly passed: boolean
}

/** Judges an output without a model. Pure: the same output gets the same evaluation. */
export type Evaluator = (output: string) => Evaluation

export interface EvaluatorOptions {
  /** The dimension that is scored; each evaluator has a default. */
  readonly dimension?: string
}

/** An evaluation in one dimension that passes with the full score only. */
export function scored(dimension: string, score: number): Evaluation {
  return { scores: Object.fromEntries([[dimension, score]]), passed: score === 100 }
}

/** Returns the evaluation, or throws `SCORES_INVALID` when it has unfit scores or no verdict. */
export const checkEvaluation = guarded('checkEvaluation', checkEvaluationUnchecked)

function checkEvaluationUnchecked(evaluation: Evaluation, dimensions: readonly string[] = []): Evaluation {
  const { scores, passed } = evaluation
  assertScores(scores, dimensions)
  if (typeof passed === 'boolean') return { scores, passed }
  throw promptsError('SCORES_INVALID', 'An evaluation says in `passed` whether the test passed, as true or false.', {
    details: { errors: [{ pointer: '/passed', message: 'is not a boolean' }] },
  })
}
