import type { By, MinionsAccess } from '@minions/core'
import { findRootId } from '../chain/find-root.js'
import { loadMinions, type PromptMinion } from '../chain/prompt-minion.js'
import { relationsAt } from '../chain/relations.js'
import { promptResultType } from '../types/prompt-result.js'
import { renderWith, variablesFor } from '../versions/render-prompt.js'
import { loadReference, type PromptReference } from '../versions/version-reference.js'
import { loadTest, type PromptResultMinion, type PromptTestMinion } from './prompt-test.js'
import { resultFields, type TestEvaluation } from './test-evaluation.js'

/** A result that is ready to be written. */
export interface ScoredTest {
  readonly test: PromptTestMinion
  readonly fields: Awaited<ReturnType<typeof resultFields>>
}

/** Records the scores that people, models or evaluators give. It does not score by itself. */
export class PromptScorer {
  readonly #client: MinionsAccess

  constructor(client: MinionsAccess) {
    this.#client = client
  }

  /**
   * Records what came of a test on a prompt or version. Throws `SCORES_INVALID` for scores that are not integers from 0
   * to 100, and `NOT_FOUND` for an unknown test; nothing is written then.
   */
  async score(
    prompt: PromptReference,
    testId: string,
    evaluation: TestEvaluation,
    by: By = {},
  ): Promise<PromptResultMinion> {
    const version = await loadReference(this.#client, prompt)
    const test = await loadTest(this.#client, await findRootId(this.#client, version), testId)
    const declared = await variablesFor(this.#client, version)
    const rendered = renderWith(version, declared, inputOf(test))
    const fields = await resultFields(version, test, rendered, evaluation)
    const [result] = await writeResults(this.#client, version, [{ test, fields }], by)
    return result as PromptResultMinion
  }

  /** The results of a prompt, version or test, oldest first. */
  async results(id: string): Promise<PromptResultMinion[]> {
    const references = await relationsAt(this.#client, 'targetIds', [id], ['references'])
    const found = await loadMinions(
      this.#client,
      references.map(({ sourceId }) => sourceId),
      [promptResultType],
    )
    return found.filter(({ deletedAt }) => !deletedAt) as PromptResultMinion[]
  }
}

/** The values that a test renders with. */
export function inputOf(test: PromptTestMinion): Readonly<Record<string, unknown>> {
  return test.fields.inputVariables as Record<string, unknown>
}

/** Writes results with their links to test and version, all or none. */
export async function writeResults(
  client: MinionsAccess,
  version: PromptMinion,
  scored: readonly ScoredTest[],
  by: By,
): Promise<PromptResultMinion[]> {
  return client.transaction(async (tx) => {
    const inputs = scored.map(({ test, fields }) => ({ title: `Result of ${test.title}`, fields }))
    const results = await tx.createMany(promptResultType, inputs, by)
    for (const [index, { test }] of scored.entries()) {
      const sourceId = (results[index] as PromptResultMinion).id
      await tx.link({ sourceId, targetId: test.id, type: 'references' }, by)
      await tx.link({ sourceId, targetId: version.id, type: 'references' }, by)
    }
    return results
  })
}
