import { takeList } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { loadTest, type PromptTestMinion, testsOf } from './prompt-test.js'

/** The tests with these ids, or all tests of a prompt. Throws `NOT_FOUND` for one that the prompt does not have. */
export async function chosenTests(
  access: PromptAccess,
  promptId: string,
  ids: readonly string[] | undefined,
): Promise<PromptTestMinion[]> {
  if (ids === undefined) return testsOf(access, promptId)
  const tests: PromptTestMinion[] = []
  for (const id of new Set(takeList('The tests', ids))) tests.push(await loadTest(access, promptId, id))
  return tests
}
