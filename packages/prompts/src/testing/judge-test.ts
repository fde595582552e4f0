import { promptsError } from '../errors.js'
import { assertionEvaluator, hasAssertions } from '../scoring/assertions.js'
import type { Evaluation } from '../scoring/evaluation.js'
import { evaluators } from '../scoring/evaluators.js'
import { assertionsOf } from './prompt-test.js'
import type { Answer, Evaluate, EvaluationContext, ModelAnswer, TestEvaluation } from './test-evaluation.js'

/** How tests are judged besides by the assertions that they hold. */
export interface Judges {
  /** Answers the rendered prompt; the answer is judged then, and not the prompt. */
  readonly answer?: Answer | undefined
  readonly evaluate?: Evaluate | undefined
}

/**
 * Judges a rendered prompt: by a function, by the assertions that its test holds, or by both, in which case it must pass
 * both. Assertions judge the answer of the model, or the rendered prompt where there is none. Throws `EVALUATOR_INVALID`
 * when there is nothing to judge by.
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
    `There is nothing to judge the test "${context.test.title}" by: give it assertions, or judge it with a function.`,
    { details: { testId: context.test.id } },
  )
}

/** Judges by what the test asserts and, where a model answered, by the schema that answers must fit. */
function assert(text: string, isAnswer: boolean, { test, responseSchema }: EvaluationContext): Evaluation | undefined {
  const assertions = assertionsOf(test)
  const own = hasAssertions(assertions) ? assertionEvaluator(assertions)(text) : undefined
  if (!isAnswer || !responseSchema) return own
  const fits = evaluators.jsonSchema(responseSchema, { dimension: 'responseSchema' })(text)
  return own ? both(own, fits) : fits
}

/** The messages are rendered only if they are read. */
function withOutput(context: EvaluationContext, output: string): EvaluationContext {
  return Object.create(context, { output: { value: output, enumerable: true } })
}

/** All scores, the lower where both have one; passed when both did. */
function both(first: Evaluation, second: Evaluation): Evaluation {
  const scores = new Map(Object.entries(Object(first.scores) as Evaluation['scores']))
  for (const [dimension, score] of Object.entries(second.scores)) {
    scores.set(dimension, Math.min(score, scores.get(dimension) ?? 100))
  }
  // What is not a boolean is refused later, as it would be alone.
  return { scores: Object.fromEntries(scores), passed: first.passed === true ? second.passed : first.passed }
}

function answerOf(answer: string | ModelAnswer): ModelAnswer {
  if (typeof answer === 'string') return { output: answer }
  if (typeof answer?.output === 'string') return answer
  throw promptsError('EVALUATOR_INVALID', 'An answer is a text, or an object with the text as `output`.')
}
