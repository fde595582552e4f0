import { jsonProblem, pointerTo } from '@minions/core/json'
import { guarded, takeList } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import { promptsError } from '../errors.js'

/** A score in one dimension. */
export const ScoreSchema = Type.Integer({ minimum: 0, maximum: 100 })

/** Scores by dimension. */
export const ScoresSchema = Type.Record(Type.String(), ScoreSchema)

export type Scores = Readonly<Static<typeof ScoresSchema>>

export function isScore(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100
}

/**
 * Throws `SCORES_INVALID`, listing everything wrong, unless every score is an integer from 0 to 100 and every declared
 * dimension has one.
 */
export const assertScores: typeof assertScoresUnchecked = guarded('assertScores', assertScoresUnchecked)

function assertScoresUnchecked(scores: unknown, dimensions: readonly string[] = []): asserts scores is Scores {
  const errors = scoreProblems(scores, dimensions)
  if (errors.length === 0) return
  throw promptsError(
    'SCORES_INVALID',
    `The scores cannot be used: ${errors.map(({ message }) => message).join('; ')}.`,
    {
      details: { errors },
    },
  )
}

interface ScoreProblem {
  readonly pointer: string
  readonly message: string
}

function scoreProblems(scores: unknown, dimensions: readonly string[]): ScoreProblem[] {
  if (typeof scores !== 'object' || scores === null || Array.isArray(scores)) {
    return [{ pointer: '', message: 'scores must be an object that maps dimensions to integers from 0 to 100' }]
  }
  const errors: ScoreProblem[] = []
  for (const [dimension, score] of Object.entries(scores)) {
    const pointer = pointerTo('', dimension)
    if (!isScore(score)) {
      errors.push({ pointer, message: `"${dimension}" is ${shown(score)}, not an integer from 0 to 100` })
    } else if (jsonProblem(dimension)) {
      errors.push({ pointer, message: `the dimension "${dimension}" is not valid text` })
    }
  }
  for (const dimension of new Set(takeList('The dimensions', dimensions))) {
    if (Object.hasOwn(scores, dimension)) continue
    errors.push({ pointer: pointerTo('', dimension), message: `the declared dimension "${dimension}" has no score` })
  }
  return errors
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a value of type ${value === null ? 'null' : typeof value}`
}
