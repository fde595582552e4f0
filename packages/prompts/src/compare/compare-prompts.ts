import { coreError } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { promptsError } from '../errors.js'
import { evaluateTests } from '../testing/evaluate-tests.js'
import type { Judges } from '../testing/judge-test.js'
import { chosenTests, resultsOf } from '../testing/prompt-test.js'
import type { RunOptions } from '../testing/run-bounded.js'
import type { Evaluate } from '../testing/test-evaluation.js'
import { loadReference, type PromptReference } from '../versions/version-reference.js'
import { type CompareScoresOptions, compareScores, type ScorePair } from './compare-scores.js'
import type { Comparison } from './comparison.js'
import { type ComparedResults, pairResults } from './pair-results.js'

interface CommonOptions extends CompareScoresOptions, RunOptions, Pick<Judges, 'answer'> {
  /** Ids of the tests to compare on. Default: all tests of the first prompt, or all with results. */
  readonly tests?: readonly string[]
}

/** Basis of the comparison: a judge that both prompts are run with, or results: the given ones, or all stored ones. */
export type CompareOptions =
  | (CommonOptions & { readonly evaluate: Evaluate; readonly results?: undefined })
  | (CommonOptions & { readonly results: ComparedResults | 'stored'; readonly evaluate?: undefined })

export async function comparePrompts(
  access: PromptAccess,
  a: PromptReference,
  b: PromptReference,
  options: CompareOptions,
): Promise<Comparison> {
  const { evaluate, results, tests } = options
  if (results !== undefined) {
    const [idOfA, idOfB] = [await idOf(access, a), await idOf(access, b)]
    const given = results === 'stored' ? await storedResults(access, idOfA, idOfB) : results
    return compareScores(await pairResults(access.client, idOfA, idOfB, given, tests), options)
  }
  if (typeof evaluate !== 'function') {
    throw promptsError('COMPARISON_INVALID', 'A comparison needs `evaluate`, a function, or `results`.')
  }
  const [first, second] = [await loadReference(access, a), await loadReference(access, b)]
  const chosen = await chosenTests(access, await access.lookup.rootId(first), tests)
  const scoredA = await evaluateTests(access, first, chosen, evaluate, options)
  const scoredB = await evaluateTests(access, second, chosen, evaluate, options)
  const pairs = scoredA.map(({ fields }, index): ScorePair => {
    const other = scoredB[index] as (typeof scoredB)[number]
    return { a: fields.scores, b: other.fields.scores }
  })
  return compareScores(pairs, options)
}

async function idOf(access: PromptAccess, reference: PromptReference): Promise<string> {
  return typeof reference === 'string' ? reference : (await loadReference(access, reference)).id
}

async function storedResults({ client }: PromptAccess, a: string, b: string): Promise<ComparedResults> {
  const results = { a: await resultsOf(client, [a]), b: await resultsOf(client, [b]) }
  const id = results.a.length === 0 ? a : b
  if (results.a.length > 0 && results.b.length > 0) return results
  throw coreError('NOT_FOUND', `"${id}" has no results yet; run its tests first, or pass a judge.`, { details: { id } })
}
