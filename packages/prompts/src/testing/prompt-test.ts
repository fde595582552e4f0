import { coreError, isDeleted, type Minion, type MinionOf, type MinionsAccess } from '@minions/core'
import { takeList } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import { loadMinions, wrongType } from '../chain/prompt-minion.js'
import type { Assertions } from '../scoring/assertions.js'
import { promptResultType } from '../types/prompt-result.js'
import { promptTestType } from '../types/prompt-test.js'

/** A test case of a prompt. */
export type PromptTestMinion = MinionOf<typeof promptTestType> & {
  readonly fields: {
    /** Assertions on the answer, or on the rendered prompt. */
    readonly assertions?: Assertions
    /** A gate fails as soon as this test fails. */
    readonly golden?: boolean
  }
}

/** The assertions of a test; nothing for one judged only by a person or a function. */
export function assertionsOf({ fields }: PromptTestMinion): Assertions {
  return fields.assertions ?? {}
}

/** The outcome of a test. */
export type PromptResultMinion = MinionOf<typeof promptResultType>

/** The tests of a prompt, oldest first. */
export async function testsOf({ client, lookup }: PromptAccess, promptId: string): Promise<PromptTestMinion[]> {
  const ids = (await lookup.parts('test', [promptId])).map(({ id }) => id)
  const found = await loadMinions(client, ids, [promptTestType])
  return found.filter((test) => !isDeleted(test)) as PromptTestMinion[]
}

/** The results of prompts, versions or tests, oldest first. */
export async function resultsOf(client: MinionsAccess, ids: readonly string[]): Promise<PromptResultMinion[]> {
  const references = await clientReader(client).relations('targetIds', ids, ['references'])
  const sources = references.map(({ sourceId }) => sourceId)
  const found = await loadMinions(client, sources, [promptResultType])
  return found.filter((result) => !isDeleted(result)) as PromptResultMinion[]
}

/**
 * A test that a prompt can be run on: one of its own, or one that belongs to no prompt. Throws `NOT_FOUND`, or
 * `PROMPT_TYPE_MISMATCH` when the id belongs to another type of minion.
 */
export async function loadTest({ client }: PromptAccess, promptId: string, testId: string): Promise<PromptTestMinion> {
  const test = await client.get(testId)
  if (!test || isDeleted(test)) throw unknownTest(promptId, testId)
  if (!isTest(test)) throw wrongType(test, [promptTestType])
  const prompts = await clientReader(client).relations('sourceIds', [testId], ['part_of'])
  if (prompts.length > 0 && !prompts.some(({ targetId }) => targetId === promptId)) throw unknownTest(promptId, testId)
  return test
}

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

function isTest(minion: Minion): minion is PromptTestMinion {
  return minion.minionTypeId === promptTestType.id
}

function unknownTest(promptId: string, testId: string): Error {
  return coreError('NOT_FOUND', `Prompt "${promptId}" has no test "${testId}".`, { details: { promptId, testId } })
}
