import type { MinionsAccess } from '@minions/core'
import { clientReader } from '../chain/chain-reader.js'
import { loadMinions } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import type { Scores } from '../scoring/scores.js'
import type { PromptResultMinion } from '../testing/prompt-test.js'
import { promptResultType } from '../types/prompt-result.js'
import type { ScorePair } from './compare-scores.js'

/** A stored result, or its id. */
export type ResultReference = PromptResultMinion | string

/**
 * Results to compare: paired scores, or stored results of both, in one list or separately. Stored results are paired by
 * the test they reference; the newest result for a test wins.
 */
export type ComparedResults =
  | readonly ScorePair[]
  | readonly ResultReference[]
  | { readonly a: readonly ResultReference[]; readonly b: readonly ResultReference[] }

export async function pairResults(
  client: MinionsAccess,
  a: string,
  b: string,
  results: ComparedResults,
  tests: readonly string[] | undefined,
): Promise<ScorePair[]> {
  if (isPaired(results)) return [...results]
  const apart = !Array.isArray(results) && 'a' in results ? results : undefined
  const all = apart ? [...apart.a, ...apart.b] : (results as readonly ResultReference[])
  const ids = all.map((result) => (typeof result === 'string' ? result : result.id))
  const [idsOfA, idsOfB] = [new Set(ids.slice(0, apart?.a.length)), new Set(ids.slice(apart?.a.length ?? 0))]
  const found = (await loadMinions(client, ids, [promptResultType])) as PromptResultMinion[]
  const missing = ids.filter((id) => !found.some((result) => result.id === id))
  if (missing.length > 0) {
    throw promptsError('COMPARISON_INVALID', `These are not stored results: ${missing.join(', ')}.`, {
      details: { missing },
    })
  }
  const references = await targetsOf(client, ids)
  const scores = { a: new Map<string, Scores>(), b: new Map<string, Scores>() }
  // Oldest first, so that the newest result for a test wins.
  for (const result of found) {
    const targets = references.get(result.id) ?? new Set()
    const testId = [...targets].find((id) => id !== a && id !== b && (tests?.includes(id) ?? true))
    if (testId === undefined) continue
    if (targets.has(a) && idsOfA.has(result.id)) scores.a.set(testId, result.fields.scores as Scores)
    if (targets.has(b) && idsOfB.has(result.id)) scores.b.set(testId, result.fields.scores as Scores)
  }
  return [...scores.a].flatMap(([testId, ofA]) => {
    const ofB = scores.b.get(testId)
    return ofB ? [{ a: ofA, b: ofB }] : []
  })
}

function isPaired(results: ComparedResults): results is readonly ScorePair[] {
  return Array.isArray(results) && results.every((result) => Object.hasOwn(Object(result), 'a'))
}

async function targetsOf(client: MinionsAccess, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const targets = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const { sourceId, targetId } of await clientReader(client).relations('sourceIds', ids, ['references'])) {
    targets.get(sourceId)?.add(targetId)
  }
  return targets
}
