import type { MinionsAccess } from '@minions/core'
import { findRootId } from '../chain/find-root.js'
import { coreError, promptsError } from '../errors.js'
import { evaluateTests } from '../testing/evaluate-tests.js'
import { PromptScorer } from '../testing/prompt-scorer.js'
import type { RunOptions } from '../testing/run-bounded.js'
import type { Evaluate } from '../testing/test-evaluation.js'
import { chosenTests } from '../testing/tests-api.js'
import { loadReference, type PromptReference } from '../versions/version-reference.js'
import { type CompareScoresOptions, compareScores, type ScorePair } from './compare-scores.js'
import type { Comparison } from './comparison.js'
import { type ComparedResults, pairResults } from './pair-results.js'

interface CommonOptions extends CompareScoresOptions, RunOptions {
  /** Ids of the tests to compare on; all tests of the first prompt, or all with results, unless given. */
  readonly tests?: readonly string[]
}

/** What to compare by: a judge that both prompts are run on, or results: those given, or all that are stored of both. */
export type CompareOptions =
  | (CommonOptions & { readonly evaluate: Evaluate; readonly results?: undefined })
  | (CommonOptions & { readonly results: ComparedResults | 'stored'; readonly evaluate?: undefined })

/** Compares two prompts or versions on the same tests. Writes nothing. */
export async function comparePrompts(
  client: MinionsAccess,
  a: PromptReference,
  b: PromptReference,
  options: CompareOptions,
): Promise<Comparison> {
  const { evaluate, results, tests } = options
  if (results !== undefined) {
    const [idOfA, idOfB] = [await idOf(client, a), await idOf(client, b)]
    const given = results === 'stored' ? await storedResults(client, idOfA, idOfB) : results
    return compareScores(await pairResults(client, idOfA, idOfB, given, tests), options)
  }
  if (typeof evaluate !== 'function') {
    throw promptsError('COMPARISON_INVALID', 'A comparison needs `evaluate`, a function, or `results`.')
  }
  const [first, second] = [await loadReference(client, a), await loadReference(client, b)]
  const chosen = await chosenTests(client, await findRootId(client, first), tests)
  const scoredA = await evaluateTests(client, first, chosen, evaluate, options)
  const scoredB = await evaluateTests(client, second, chosen, evaluate, options)
  const pairs = scoredA.map(({ fields }, index): ScorePair => {
    const other = scoredB[index] as (typeof scoredB)[number]
    return { a: fields.scores, b: other.fields.scores }
  })
  return compareScores(pairs, options)
}

async function idOf(client: MinionsAccess, reference: PromptReference): Promise<string> {
  return typeof reference === 'string' ? reference : (await loadReference(client, reference)).id
}

async function storedResults(client: MinionsAccess, a: string, b: string): Promise<ComparedResults> {
  const scorer = new PromptScorer(client)
  const results = { a: await scorer.results(a), b: await scorer.results(b) }
  const id = results.a.length === 0 ? a : b
  if (results.a.length > 0 && results.b.length > 0) return results
  throw coreError('NOT_FOUND', `"${id}" has no results yet; run its tests first, or give a judge.`, { details: { id } })
}
