import { promptsError } from '../errors.js'
import { assertionEvaluator, hasAssertions } from '../scoring/assertions.js'
import { type Evaluation, lowestScores } from '../scoring/evaluation.js'
import { evaluators } from '../scoring/evaluators.js'
import { assertionsOf } from './prompt-test.js'
import type { Answer, Evaluate, EvaluationContext, ModelAnswer, TestEvaluation } from './test-evaluation.js'

/** How tests are judged, in addition to their assertions. */
export interface Judges {
  /** Answers the rendered prompt; then the answer is judged instead of the prompt. */
  readonly answer?: Answer | undefined
  readonly evaluate?: Evaluate | undefined
}

/**
 * Judges a rendered prompt: by a function, by the assertions of its test, or by both, in which case it must pass both.
 * Assertions judge the answer of the model, or the rendered prompt where there is none. Throws `EVALUATOR_INVALID` when
 * there is nothing to judge by.
 */
export async function judgeTest(
  rendered: string,
  { answer, evaluate }: Judges,
  context: EvaluationContext,
): Promise<TestEvaluation> {
  const answered = answer && answerOf(await answer(rendered, context))
  const judged = evaluate && Object(await evaluate(rendered, answered ? withOutput(context, answered.output) : context))
  const output: string | undefined = judged?.output ?? answered?.output
  const asserted = assert(output ?? rendered, output !== undefined, context)
  if (asserted) return { ...answered, ...judged, ...(judged ? both(judged, asserted) : asserted) }
  if (judged) return { ...answered, ...judged }
  throw promptsError(
    'EVALUATOR_INVALID',
    `There is nothing to judge the test "${context.test.title}" by: add assertions to it, or pass a function that judges it.`,
    { details: { testId: context.test.id } },
  )
}

/** Judges by the assertions of the test and, if a model answered, by the response schema. */
function assert(text: string, isAnswer: boolean, { test, responseSchema }: EvaluationContext): Evaluation | undefined {
  const assertions = assertionsOf(test)
  const own = hasAssertions(assertions) ? assertionEvaluator(assertions)(text) : undefined
  if (!isAnswer || !responseSchema) return own
  const fits = evaluators.jsonSchema(responseSchema, { dimension: 'responseSchema' })(text)
  return own ? both(own, fits) : fits
}

/** Messages are rendered lazily. */
function withOutput(context: EvaluationContext, output: string): EvaluationContext {
  return Object.create(context, { output: { value: output, enumerable: true } })
}

/** Combines all scores, keeping the lower where both have one; passed when both passed. */
function both(first: Evaluation, second: Evaluation): Evaluation {
  const scores = lowestScores([Object(first.scores), second.scores])
  // A value that is not a boolean is refused later, as it would be alone.
  return { scores, passed: first.passed === true ? second.passed : first.passed }
}

function answerOf(answer: string | ModelAnswer): ModelAnswer {
  if (typeof answer === 'string') return { output: answer }
  if (typeof answer?.output === 'string') return answer
  throw promptsError('EVALUATOR_INVALID', 'An answer must be a string, or an object with the string as `output`.')
}
