import { coreError, quote } from '@minions/core'
import { type JsonValue, jsonEqual } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type CompiledPattern, compilePattern } from '@minions/core/schema'
import { promptsError } from '../errors.js'
import {
  checkEvaluation,
  type Evaluation,
  type Evaluator,
  type EvaluatorOptions,
  lowestScores,
  scored,
} from './evaluation.js'
import { type JsonSchema, schemaEvaluator } from './schema-evaluator.js'

export interface ContainsOptions extends EvaluatorOptions {
  /** Match case; default true. */
  readonly caseSensitive?: boolean
}

/** Scores the share of the strings that the output contains, and passes when it contains all of them. */
function contains(expected: string | readonly string[], options: ContainsOptions = {}): Evaluator {
  return shareOf(expected, 'contains', options, (found) => found)
}

/** Scores the share of the strings that the output does not contain, and passes when it contains none of them. */
function notContains(unwanted: string | readonly string[], options: ContainsOptions = {}): Evaluator {
  return shareOf(unwanted, 'notContains', options, (found, all) => all - found)
}

function shareOf(
  given: string | readonly string[],
  name: string,
  { dimension = name, caseSensitive = true }: ContainsOptions,
  counted: (found: number, all: number) => number,
): Evaluator {
  const fold = (text: string): string => (caseSensitive ? text : text.toLowerCase())
  const texts = (typeof given === 'string' ? [given] : given).map(fold)
  if (texts.length === 0) throw promptsError('EVALUATOR_INVALID', `${name}() needs at least one string to look for.`)
  return (output) => {
    const folded = fold(output)
    const found = texts.filter((text) => folded.includes(text)).length
    return scored(dimension, Math.floor((100 * counted(found, texts.length)) / texts.length))
  }
}

/**
 * Passes when the pattern, as with the `u` flag, matches anywhere in the output. It runs in linear time, whatever the
 * output; patterns and flags for which that is impossible are refused.
 */
function regex(pattern: string | RegExp, options: EvaluatorOptions = {}): Evaluator {
  const { dimension = 'regex' } = options
  const { test, maxTextLength } = linearPattern(pattern)
  return (output) => {
    if (output.length <= maxTextLength) return scored(dimension, test(output) ? 100 : 0)
    throw promptsError('EVALUATOR_INVALID', `regex() can match this pattern on ${maxTextLength} characters at most.`)
  }
}

/** Passes when the output is JSON, optionally in a Markdown code fence, that is valid for the schema. */
function jsonSchema(schema: JsonSchema, options: EvaluatorOptions = {}): Evaluator {
  return schemaEvaluator(schema, options.dimension ?? 'jsonSchema')
}

/**
 * Passes when the output equals a string exactly or, given any other JSON value, when it is JSON with an equal value.
 */
function equals(expected: JsonValue, options: EvaluatorOptions = {}): Evaluator {
  const { dimension = 'equality' } = options
  return (output) =>
    scored(dimension, (typeof expected === 'string' ? output === expected : sameJson(output, expected)) ? 100 : 0)
}

export interface LengthOptions extends EvaluatorOptions {
  readonly min?: number
  readonly max?: number
  /** What is counted: characters (code points), the default, words or lines. */
  readonly unit?: 'characters' | 'words' | 'lines'
}

/** Passes when the length of the output lies within the limits, inclusive. */
function length({
  min = 0,
  max = Number.POSITIVE_INFINITY,
  unit = 'characters',
  dimension = 'length',
}: LengthOptions): Evaluator {
  if (!(min >= 0 && max >= min)) {
    throw promptsError('EVALUATOR_INVALID', `length() needs 0 ≤ min ≤ max, not min ${min} and max ${max}.`)
  }
  return (output) => {
    const count = COUNTERS[unit](output)
    return scored(dimension, count >= min && count <= max ? 100 : 0)
  }
}

const COUNTERS = {
  characters: (text: string) => Array.from(text).length,
  words: (text: string) => text.match(/\S+/g)?.length ?? 0,
  lines: (text: string) => (text === '' ? 0 : text.split('\n').length),
} as const

/**
 * Wraps a custom function. It returns an evaluation, a score from 0 to 100 (which passes only at 100) or a boolean;
 * anything else throws `SCORES_INVALID` when the evaluator runs.
 */
function custom(
  evaluate: (output: string) => Evaluation | number | boolean,
  options: EvaluatorOptions = {},
): Evaluator {
  const { dimension = 'custom' } = options
  return (output) => {
    const answer = evaluate(output)
    if (typeof answer === 'boolean') return scored(dimension, answer ? 100 : 0)
    return checkEvaluation(typeof answer === 'number' ? scored(dimension, answer) : answer)
  }
}

/**
 * Runs several evaluators: all their scores, passed when all passed. For a dimension scored twice the lower score is
 * kept.
 */
function all(...evaluators: readonly Evaluator[]): Evaluator {
  return (output) => {
    const evaluations = evaluators.map((evaluate) => evaluate(output))
    return {
      scores: lowestScores(evaluations.map(({ scores }) => scores)),
      passed: evaluations.every(({ passed }) => passed),
    }
  }
}

/** An evaluator that refuses values other than strings. */
function evaluator<F extends (...args: never[]) => Evaluator>(name: string, create: F): F {
  const created = (...args: never[]) => {
    const evaluate = create(...args)
    return guarded(`evaluators.${name}()`, (output: string) => {
      if (typeof output === 'string') return evaluate(output)
      throw coreError('VALIDATION_FAILED', `An output must be a string, not ${quote(output)}.`)
    })
  }
  return guarded(`evaluators.${name}`, created as F)
}

/** Ready-made evaluators that need no model. Each creates a function from an output to scores and a verdict. */
export const evaluators = {
  contains: evaluator('contains', contains),
  notContains: evaluator('notContains', notContains),
  regex: evaluator('regex', regex),
  jsonSchema: evaluator('jsonSchema', jsonSchema),
  equals: evaluator('equals', equals),
  length: evaluator('length', length),
  custom: guarded('evaluators.custom', custom),
  all: guarded('evaluators.all', all),
} as const

function sameJson(output: string, expected: JsonValue): boolean {
  try {
    return jsonEqual(JSON.parse(output), expected)
  } catch {
    return false
  }
}

function linearPattern(pattern: string | RegExp): CompiledPattern {
  const { source, flags } = typeof pattern === 'string' ? { source: pattern, flags: '' } : pattern
  if (/[^dgu]/.test(flags)) {
    throw promptsError('EVALUATOR_INVALID', `regex() cannot use the flags "${flags}"; write the pattern without them.`)
  }
  try {
    return compilePattern(source)
  } catch (cause) {
    throw promptsError('EVALUATOR_INVALID', `regex() cannot use the pattern ${JSON.stringify(source)}.`, { cause })
  }
}
