import { type ModelUsage, takeList } from '@minions/core/plugin'
import { modelsError } from '../errors.js'
import { asEmbeddingModel, type EmbeddingModel, nameOf } from '../provider/language-model.js'
import type { Caller } from './caller.js'
import { estimateTokens } from './usage.js'

/** Vectors of texts, all of one length. */
export interface Embeddings {
  readonly vectors: readonly (readonly number[])[]
  readonly model: string
  readonly usage: ModelUsage
  readonly cost?: number
}

const DEFAULT_BATCH = 100

/** Embeds texts in batches as large as the model accepts. */
export async function embedAll(
  given: EmbeddingModel,
  caller: Caller,
  values: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Embeddings> {
  const texts = takeList('The texts', values)
  if (texts.some((value) => typeof value !== 'string')) {
    throw modelsError('VALIDATION_FAILED', 'Only a list of strings can be embedded.')
  }
  const model = asEmbeddingModel(given)
  const name = nameOf(model)
  const size = Math.max(1, (await model.maxEmbeddingsPerCall) ?? DEFAULT_BATCH)
  const vectors: number[][] = []
  let tokens = 0
  let estimated = false
  for (let start = 0; start < texts.length; start += size) {
    const batch = texts.slice(start, start + size)
    const estimate = estimateTokens(batch.reduce((sum, value) => sum + value.length, 0))
    const answer = await caller.guarded(name, estimate, signal, async () => {
      const result = await model.doEmbed({ values: batch, ...(signal && { abortSignal: signal }) })
      requireVectors(name, result.embeddings, batch.length, vectors[0]?.length)
      return result
    })
    vectors.push(...answer.embeddings)
    estimated ||= answer.usage === undefined
    tokens += answer.usage?.tokens ?? estimate
  }
  const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens, ...(estimated && { estimated }) }
  const cost = caller.costOf(name, { ...usage, cachedTokens: 0 })
  const priced = cost === undefined ? {} : { cost }
  caller.ledger.add(name, 'embedding', { ...usage, ...priced })
  return { vectors, model: name, usage, ...priced }
}

function requireVectors(model: string, vectors: unknown, count: number, dimensions: number | undefined): void {
  const isComplete =
    Array.isArray(vectors) &&
    vectors.length === count &&
    vectors.every((each) => Array.isArray(each) && each.length > 0 && each.every(Number.isFinite)) &&
    vectors.every((each) => each.length === (dimensions ?? vectors[0].length))
  if (isComplete) return
  const message = `The model ${model} did not return one numeric vector per text, all of the same length.`
  throw modelsError('MODEL_ANSWER_INVALID', message, { details: { model } })
}
