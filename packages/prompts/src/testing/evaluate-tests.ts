import type { PromptAccess } from '../access.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import { renderMessagesWith, renderWith } from '../versions/render-prompt.js'
import { type Judges, judgeTest } from './judge-test.js'
import { inputOf, type ScoredTest } from './prompt-scorer.js'
import type { PromptTestMinion } from './prompt-test.js'
import { type RunOptions, runBounded } from './run-bounded.js'
import { type Evaluate, type EvaluationContext, resultFields } from './test-evaluation.js'

/** Progress of a run. */
export interface RunProgress {
  readonly done: number
  readonly total: number
  /** The test that has just been evaluated. */
  readonly test: PromptTestMinion
}

export interface EvaluateOptions extends RunOptions, Pick<Judges, 'answer'> {
  readonly onProgress?: (progress: RunProgress) => void
}

/** Renders a prompt with each test and judges it. All are rendered before the first is judged. */
export async function evaluateTests(
  access: PromptAccess,
  version: PromptMinion,
  tests: readonly PromptTestMinion[],
  evaluate: Evaluate | undefined,
  { onProgress, answer, ...options }: EvaluateOptions,
): Promise<ScoredTest[]> {
  const ready = await readyPrompt(access, version)
  const rendered = tests.map((test) => ({ test, text: renderWith(ready, inputOf(test)) }))
  let done = 0
  return runBounded(
    rendered,
    async ({ test, text }, signal) => {
      const evaluation = await judgeTest(text, { answer, evaluate }, contextOf(ready, test, signal))
      const fields = await resultFields(ready.version, text, evaluation, test)
      done += 1
      if (!signal.aborted) onProgress?.({ done, total: tests.length, test })
      return { test, fields }
    },
    options,
  )
}

/** The context of a judge. Messages are rendered lazily. */
export function contextOf(
  ready: ReadyPrompt,
  test: PromptTestMinion,
  signal: AbortSignal,
  attempt = 0,
): EvaluationContext {
  const { version } = ready
  const { settings, responseSchema } = version.fields
  return {
    test,
    version,
    signal,
    attempt,
    ...(settings && { settings }),
    ...(responseSchema && { responseSchema }),
    get messages() {
      return renderMessagesWith(ready, inputOf(test))
    },
  }
}
