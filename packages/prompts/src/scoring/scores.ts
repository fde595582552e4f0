import { isRecord, jsonProblem, pointerTo } from '@minions/core/json'
import { guarded, takeList } from '@minions/core/plugin'
import { describeIssues, type Issue, issueAt } from '@minions/core/schema'
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
  const why = describeIssues(errors, 'they')
  throw promptsError('SCORES_INVALID', `The scores cannot be used: ${why}.`, { details: { errors } })
}

function scoreProblems(scores: unknown, dimensions: readonly string[]): Issue[] {
  if (!isRecord(scores)) {
    return [issueAt('', 'type', 'must be an object that maps dimensions to integers from 0 to 100', scores)]
  }
  const errors: Issue[] = []
  for (const [dimension, score] of Object.entries(scores)) {
    const pointer = pointerTo('', dimension)
    if (!isScore(score)) {
      errors.push(issueAt(pointer, 'type', `is ${shown(score)}, not an integer from 0 to 100`, score))
    } else if (jsonProblem(dimension)) {
      errors.push(issueAt(pointer, 'characters', 'is not valid text for the name of a dimension'))
    }
  }
  for (const dimension of new Set(takeList('The dimensions', dimensions))) {
    if (Object.hasOwn(scores, dimension)) continue
    errors.push(issueAt(pointerTo('', dimension), 'required', 'is a declared dimension without a score'))
  }
  return errors
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a value of type ${value === null ? 'null' : typeof value}`
}
