import type { MinionsAccess } from '@minions/core'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { renderWith, variablesFor } from '../versions/render-prompt.js'
import { inputOf, type ScoredTest } from './prompt-scorer.js'
import type { PromptTestMinion } from './prompt-test.js'
import { type RunOptions, runBounded } from './run-bounded.js'
import { type Evaluate, resultFields } from './test-evaluation.js'

/** How far a run has come. */
export interface RunProgress {
  readonly done: number
  readonly total: number
  /** The test that has just been evaluated. */
  readonly test: PromptTestMinion
}

export interface EvaluateOptions extends RunOptions {
  readonly onProgress?: (progress: RunProgress) => void
}

/** Renders a prompt with each test and has it judged. All are rendered before the first is judged. */
export async function evaluateTests(
  client: MinionsAccess,
  version: PromptMinion,
  tests: readonly PromptTestMinion[],
  evaluate: Evaluate,
  { onProgress, ...options }: EvaluateOptions,
): Promise<ScoredTest[]> {
  const declared = await variablesFor(client, version)
  const rendered = tests.map((test) => ({ test, text: renderWith(version, declared, inputOf(test)) }))
  let done = 0
  return runBounded(
    rendered,
    async ({ test, text }, signal) => {
      const evaluation = await evaluate(text, { test, version, signal })
      const fields = await resultFields(version, test, text, evaluation)
      done += 1
      if (!signal.aborted) onProgress?.({ done, total: tests.length, test })
      return { test, fields }
    },
    options,
  )
}
