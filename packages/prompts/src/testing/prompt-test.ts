import { isDeleted, type Minion, type MinionOf, type MinionsAccess } from '@minions/core'
import { loadMinions, wrongType } from '../chain/prompt-minion.js'
import { relationsAt } from '../chain/relations.js'
import { coreError } from '../errors.js'
import type { promptResultType } from '../types/prompt-result.js'
import { promptTestType } from '../types/prompt-test.js'

/** A test case of a prompt. */
export type PromptTestMinion = MinionOf<typeof promptTestType>

/** What came of a test. */
export type PromptResultMinion = MinionOf<typeof promptResultType>

/** The tests of a prompt, oldest first. */
export async function testsOf(client: MinionsAccess, promptId: string): Promise<PromptTestMinion[]> {
  const partOf = await relationsAt(client, 'targetIds', [promptId], ['part_of'])
  const found = await loadMinions(
    client,
    partOf.map(({ sourceId }) => sourceId),
    [promptTestType],
  )
  return found.filter((test) => !isDeleted(test)) as PromptTestMinion[]
}

/**
 * A test that a prompt can be run on: one of its own, or one that belongs to no prompt. Throws `NOT_FOUND`, or
 * `PROMPT_TYPE_MISMATCH` when the id is that of something else.
 */
export async function loadTest(client: MinionsAccess, promptId: string, testId: string): Promise<PromptTestMinion> {
  const test = await client.get(testId)
  if (!test || isDeleted(test)) throw unknownTest(promptId, testId)
  if (!isTest(test)) throw wrongType(test, [promptTestType])
  const prompts = await relationsAt(client, 'sourceIds', [testId], ['part_of'])
  if (prompts.length > 0 && !prompts.some(({ targetId }) => targetId === promptId)) throw unknownTest(promptId, testId)
  return test
}

function isTest(minion: Minion): minion is PromptTestMinion {
  return minion.minionTypeId === promptTestType.id
}

function unknownTest(promptId: string, testId: string): Error {
  return coreError('NOT_FOUND', `Prompt "${promptId}" has no test "${testId}".`, { details: { promptId, testId } })
}
