import type { JsonValue } from '@minions/core/json'
import { isRecord } from '@minions/core/json'
import { contentHash } from '../testing/content-hash.js'
import type { Answer, Evaluate, EvaluationContext, ModelAnswer, TestEvaluation } from '../testing/test-evaluation.js'

/** Stores model answers and judgements, under a key of 64 hexadecimal digits. */
export interface AnswerCache {
  get(key: string): Promise<JsonValue | undefined>
  set(key: string, value: JsonValue): Promise<void>
}

/**
 * Serves repeated requests from a cache: the same messages, settings, schema and attempt. `salt` identifies the model,
 * for example by the hash of a module; another salt invalidates the answers.
 */
export function cachedAnswer(answer: Answer, cache: AnswerCache, salt: string): Answer {
  return async (renderedPrompt, context) => {
    const { messages, settings, responseSchema, attempt } = context
    const key = await keyOf(['answer', salt, messages, settings, responseSchema, attempt])
    return cached(cache, key, isAnswer, async () => toAnswer(await answer(renderedPrompt, context)))
  }
}

/** Serves repeated judgements from a cache: the same prompt and output by the same test. */
export function cachedEvaluate(evaluate: Evaluate, cache: AnswerCache, salt: string): Evaluate {
  return async (renderedPrompt, context: EvaluationContext) => {
    const { output, test, attempt } = context
    const key = await keyOf(['evaluation', salt, renderedPrompt, output, test.fields, attempt])
    return cached(cache, key, isEvaluation, async () => evaluate(renderedPrompt, context))
  }
}

async function cached<T>(
  cache: AnswerCache,
  key: string,
  fits: (value: unknown) => value is T,
  work: () => Promise<T>,
): Promise<T> {
  const known = await cache.get(key)
  if (fits(known)) return known
  const value = await work()
  if (fits(value)) await cache.set(key, JSON.parse(JSON.stringify(value)) as JsonValue)
  return value
}

function keyOf(parts: readonly unknown[]): Promise<string> {
  return contentHash(JSON.stringify(parts.map((part) => part ?? null)))
}

const toAnswer = (value: string | ModelAnswer): ModelAnswer => (typeof value === 'string' ? { output: value } : value)

const isAnswer = (value: unknown): value is ModelAnswer => isRecord(value) && typeof value.output === 'string'

const isEvaluation = (value: unknown): value is TestEvaluation => isRecord(value) && isRecord(value.scores)
