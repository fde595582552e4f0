import type { By, MinionsAccess } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import type { PromptLookup } from '../lookup/prompt-lookup.js'
import { RelationLookup } from '../lookup/relation-lookup.js'
import { promptResultType } from '../types/prompt-result.js'
import { loadReady, renderWith } from '../versions/render-prompt.js'
import type { PromptReference } from '../versions/version-reference.js'
import { loadTest, type PromptResultMinion, type PromptTestMinion, resultsOf } from './prompt-test.js'
import { resultFields, type TestEvaluation } from './test-evaluation.js'

/** A result ready to be written. */
export interface ScoredTest {
  readonly test: PromptTestMinion
  readonly fields: Awaited<ReturnType<typeof resultFields>>
}

/** Records scores given by people, models or evaluators. It does not score by itself. */
export class PromptScorer {
  readonly #access: PromptAccess

  /** Follows relations unless another lookup is given. */
  constructor(client: MinionsAccess, lookup: PromptLookup = new RelationLookup(client)) {
    this.#access = { client, lookup }
  }

  /**
   * Records the outcome of a test on a prompt or version. Throws `SCORES_INVALID` for scores that are not integers from
   * 0 to 100, and `NOT_FOUND` for an unknown test; then nothing is written.
   */
  async score(
    prompt: PromptReference,
    testId: string,
    evaluation: TestEvaluation,
    by: By = {},
  ): Promise<PromptResultMinion> {
    const { client, lookup } = this.#access
    const ready = await loadReady(this.#access, prompt)
    const { version } = ready
    const test = await loadTest(this.#access, await lookup.rootId(version), testId)
    const rendered = renderWith(ready, inputOf(test))
    const fields = await resultFields(version, rendered, evaluation, test)
    const [result] = await writeResults(client, version, [{ test, fields }], by)
    return result as PromptResultMinion
  }

  /** The results of a prompt, version or test, oldest first. */
  async results(id: string): Promise<PromptResultMinion[]> {
    return resultsOf(this.#access.client, [id])
  }
}

guardMethods(PromptScorer, { checksInside: ['score'] })

export function inputOf(test: PromptTestMinion): Readonly<Record<string, unknown>> {
  return test.fields.inputVariables as Record<string, unknown>
}

/** Writes results with their links to the test and version, all or none. */
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
