import { messageOf } from '@minions/core'
import { setOwn } from '@minions/core/json'
import { promptsError } from '../errors.js'
import { checkEvaluation } from '../scoring/evaluation.js'
import type { Scores } from '../scoring/scores.js'
import { RendererError } from '../template/renderer-error.js'
import { contextOf, type RunProgress } from '../testing/evaluate-tests.js'
import { type Judges, judgeTest } from '../testing/judge-test.js'
import { inputOf } from '../testing/prompt-scorer.js'
import type { PromptTestMinion } from '../testing/prompt-test.js'
import { type RunOptions, runBounded } from '../testing/run-bounded.js'
import { renderWith } from '../versions/render-prompt.js'
import type { GateOutcome } from './gate-report.js'
import type { GateSide } from './gate-sides.js'

export interface CaseOptions extends RunOptions, Judges {
  /** Number of runs of each test on each version; means are compared. Default: 1. */
  readonly repeat?: number | undefined
  readonly onProgress?: ((progress: GateProgress) => void) | undefined
}

/** Progress of a gate. */
export type GateProgress = RunProgress

interface Job {
  readonly side: GateSide
  readonly test: PromptTestMinion
  readonly attempt: number
}

/** Runs tests on versions, several at a time: for each side the outcomes in the order of the tests. */
export async function runCases(
  sides: readonly GateSide[],
  tests: readonly PromptTestMinion[],
  { answer, evaluate, repeat = 1, onProgress, ...options }: CaseOptions,
): Promise<GateOutcome[][]> {
  const jobs = tests.flatMap((test) =>
    sides.flatMap((side) => Array.from({ length: repeat }, (_, attempt): Job => ({ side, test, attempt }))),
  )
  let done = 0
  const outcomes = await runBounded(
    jobs,
    async (job, signal) => {
      const outcome = await runJob(job, { answer, evaluate }, signal).catch((cause: unknown) => {
        throw failed(job, cause, done, jobs.length)
      })
      done += 1
      if (!signal.aborted) onProgress?.({ done, total: jobs.length, test: job.test })
      return outcome
    },
    options,
  )
  return sides.map((_, sideIndex) =>
    tests.map((_test, index) => {
      const start = (index * sides.length + sideIndex) * repeat
      return meanOf(outcomes.slice(start, start + repeat))
    }),
  )
}

async function runJob({ side, test, attempt }: Job, judges: Judges, signal: AbortSignal): Promise<GateOutcome> {
  let rendered: string
  try {
    rendered = renderWith(side.ready, inputOf(test))
  } catch (error) {
    if (!(error instanceof RendererError)) throw error
    return { passed: false, scores: {}, output: '', error: error.message }
  }
  const evaluation = await judgeTest(rendered, judges, contextOf(side.ready, test, signal, attempt))
  const { scores, passed } = checkEvaluation(evaluation, test.fields.scoringDimensions)
  return { passed, scores, output: evaluation.output ?? rendered }
}

/** The mean of every score, rounded to an integer; passed if all runs passed. The first output represents all. */
function meanOf(outcomes: readonly GateOutcome[]): GateOutcome {
  const [first] = outcomes as [GateOutcome]
  if (outcomes.length === 1) return first
  const scores: Record<string, number> = {}
  for (const dimension of Object.keys(first.scores)) {
    const values = outcomes.map((outcome) => outcome.scores[dimension] ?? 0)
    setOwn(scores, dimension, Math.round(values.reduce((sum, value) => sum + value, 0) / values.length))
  }
  return { ...first, scores: scores as Scores, passed: outcomes.every(({ passed }) => passed) }
}

function failed({ side, test }: Job, cause: unknown, done: number, total: number): Error {
  return promptsError(
    'EVALUATION_FAILED',
    `Test "${test.title}" on version ${side.said.version ?? side.said.id} could not be judged: ${messageOf(cause)}`,
    { details: { testId: test.id, versionId: side.said.id, done, total }, cause },
  )
}
