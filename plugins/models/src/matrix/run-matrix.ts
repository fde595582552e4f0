import { Semaphore } from '@minions/core/coordination'
import { guarded, takeList, takeOptions } from '@minions/core/plugin'
import type { Answer, Evaluate, PromptReference, PromptResultMinion, PromptsApi } from '@minions/prompts'
import { type Models, requireRole } from '../door/models.js'
import { modelsError } from '../errors.js'
import { type AnswerOptions, answerWith } from './answer-with.js'
import { type MatrixCell, type MatrixReport, summarize } from './matrix-report.js'

export interface MatrixOptions extends Pick<AnswerOptions, 'temperature' | 'maxTokens'> {
  /** Prompts, or versions of them. */
  readonly prompts: readonly PromptReference[]
  /** Roles whose models answer. */
  readonly models: readonly string[]
  /** Ids of the tests to run; all of each prompt by default. */
  readonly tests?: readonly string[]
  /** Judges answers besides the assertions of the tests, for example a `judge`. */
  readonly evaluate?: Evaluate
  /** Number of answers per cell; 1 by default. */
  readonly repeats?: number
  /** Maximum number of concurrent calls; 4 by default. The limits of `models({ limits })` apply as well. */
  readonly concurrency?: number
  readonly by?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly done: number }) => void
}

const MOST_REPEATS = 10_000

/**
 * Runs the tests of prompts against models and stores the results with the prompts. Answers are cached by content:
 * after one prompt is edited, only its cells call a model.
 */
export const runMatrix = guarded('runMatrix', runMatrixUnchecked)

async function runMatrixUnchecked(
  { prompts, models }: { readonly prompts: PromptsApi; readonly models: Models },
  given: MatrixOptions,
): Promise<MatrixReport> {
  const taken = takeOptions('The options of runMatrix', given)
  const options = {
    ...taken,
    prompts: takeList('The prompts', taken.prompts),
    models: takeList('The models', taken.models),
  }
  const { repeats = 1, concurrency = 4, evaluate, by, signal, tests, temperature, maxTokens } = options
  if (!Number.isInteger(repeats) || repeats < 1 || repeats > MOST_REPEATS) {
    throw modelsError('VALIDATION_FAILED', `\`repeats\` must be a whole number from 1 to ${MOST_REPEATS}.`)
  }
  for (const role of options.models) models.modelFor(requireRole(role))
  const slots = new Semaphore(concurrency)
  let done = 0
  const cells = await Promise.all(
    options.prompts.flatMap((prompt, row) =>
      options.models.flatMap((role) =>
        Array.from({ length: repeats }, async (_, repeat): Promise<MatrixCell[]> => {
          const ask = answerWith(models, {
            role,
            repeat,
            ...(temperature !== undefined && { temperature }),
            ...(maxTokens !== undefined && { maxTokens }),
          })
          const answer: Answer = async (text, context) => {
            const said = await slots.run(async () => ask(text, context), context.signal)
            options.onProgress?.({ done: ++done })
            return said
          }
          const results = await prompts.tests.runAll(prompt, evaluate, {
            answer,
            concurrency,
            ...(tests && { tests }),
            ...(signal && { signal }),
            ...(by !== undefined && { by }),
          })
          return results.map((result) => cellOf(result, { row, role, repeat }))
        }),
      ),
    ),
  )
  return summarize(cells.flat(), options.prompts)
}

function cellOf(result: PromptResultMinion, position: Pick<MatrixCell, 'row' | 'role' | 'repeat'>): MatrixCell {
  const { passed, scores, output, metadata } = result.fields
  const facts = (metadata ?? {}) as Readonly<Record<string, unknown>>
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    ...position,
    resultId: result.id,
    model: String(facts.model ?? ''),
    passed: passed === true,
    scores: (scores ?? {}) as Readonly<Record<string, number>>,
    output: typeof output === 'string' ? output : '',
    tokens: number(facts.tokens),
    cost: number(facts.cost),
    cached: facts.cached === true,
  }
}
