import type { JsonObject, JsonValue } from '@minions/core/json'
import type { PromptMinion } from '../chain/prompt-minion.js'
import type { RenderedMessage } from '../chat/message.js'
import { checkEvaluation, type Evaluation } from '../scoring/evaluation.js'
import { contentHash } from './content-hash.js'
import type { PromptTestMinion } from './prompt-test.js'

/**
 * The evaluation of one run of a test. Everything but scores, verdict and output is stored in the result's metadata.
 */
export interface TestEvaluation extends Evaluation {
  /** What the model answered. */
  readonly output?: string
  readonly model?: string
  /** Tokens used, as a number or separately for input and output. */
  readonly tokens?: JsonValue
  readonly cost?: number
  /** In milliseconds. */
  readonly latency?: number
  /** Anything else worth keeping, such as the temperature. */
  readonly metadata?: JsonObject
}

/** A model's answer, with metadata to keep. */
export interface ModelAnswer extends Omit<TestEvaluation, keyof Evaluation | 'output'> {
  readonly output: string
}

/** Answers a rendered prompt, as a model does. */
export type Answer = (
  renderedPrompt: string,
  context: EvaluationContext,
) => string | ModelAnswer | Promise<string | ModelAnswer>

/** The context of a judge, besides the rendered prompt. */
export interface EvaluationContext {
  readonly test: PromptTestMinion
  /** The prompt or version that is tested. */
  readonly version: PromptMinion
  /** Aborted when the run is cancelled or has failed. */
  readonly signal: AbortSignal
  /** Repetition of the test on the version, counted from 0. */
  readonly attempt: number
  /** The answer, if the run has a model. */
  readonly output?: string
  /** The messages to send; for a text prompt, one user message. */
  readonly messages: readonly RenderedMessage[]
  /** Model settings of the version. */
  readonly settings?: JsonObject
  /** JSON Schema of answers, against which they are checked. */
  readonly responseSchema?: JsonObject
}

/** Runs and judges a rendered prompt: with a model, a person, or one of the ready-made `evaluators`. */
export type Evaluate = (renderedPrompt: string, context: EvaluationContext) => TestEvaluation | Promise<TestEvaluation>

/** The fields of a result. Throws `SCORES_INVALID` for invalid scores or a dimension of the test without one. */
export async function resultFields(
  version: PromptMinion,
  renderedPrompt: string,
  evaluation: TestEvaluation,
  test?: PromptTestMinion,
) {
  const { scores, passed } = checkEvaluation(Object(evaluation), test?.fields.scoringDimensions)
  const { scores: _scores, passed: _passed, output, metadata, ...told } = evaluation
  const facts = Object.entries({ ...metadata, ...told }).filter(([, value]) => value !== undefined)
  return {
    renderedPrompt,
    output,
    scores,
    passed,
    metadata: {
      ...(Object.fromEntries(facts) as JsonObject),
      contentHash: await contentHash(version.fields.content),
      versionId: version.id,
    },
  }
}
