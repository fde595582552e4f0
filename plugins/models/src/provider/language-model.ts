import type { EmbeddingModelV3, EmbeddingModelV4, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { isRecord } from '@minions/core/json'
import { modelsError } from '../errors.js'

/** A language model of any AI SDK provider, for version 6 or 7 of the SDK. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4

/** An embedding model of any AI SDK provider, for version 6 or 7 of the SDK. */
export type EmbeddingModel = EmbeddingModelV3 | EmbeddingModelV4

/**
 * The model with the newer interface. Both versions agree in text, tool calls, usage and finish reasons, which is all
 * that is used here; they differ in files, which are never sent.
 */
export function asLanguageModel(model: LanguageModel): LanguageModelV4 {
  return model as LanguageModelV4
}

export function asEmbeddingModel(model: EmbeddingModel): EmbeddingModelV4 {
  return model as EmbeddingModelV4
}

/** Provider and model in one string: `openai/gpt-5`. */
export function nameOf({ provider, modelId }: Pick<LanguageModel, 'provider' | 'modelId'>): string {
  // Providers add the kind of interface to their name: `openai.chat`.
  return `${provider.replace(/\..*$/, '')}/${modelId}`
}

export function isLanguageModel(value: unknown): value is LanguageModel {
  return isModel(value) && typeof value.doGenerate === 'function' && typeof value.doStream === 'function'
}

export function isEmbeddingModel(value: unknown): value is EmbeddingModel {
  return isModel(value) && typeof value.doEmbed === 'function'
}

/** Refuses what is not a language model of a supported version. */
export function requireLanguageModel(value: unknown, what: string): LanguageModel {
  if (isLanguageModel(value)) return value
  const version = isRecord(value) ? value.specificationVersion : undefined
  const hint =
    typeof version === 'string'
      ? `it follows version ${JSON.stringify(version)} of the provider interface; use a provider for ai 6 or 7`
      : 'pass a model of an AI SDK provider, such as openai("gpt-5"), or a string such as "openai#gpt-5"'
  throw modelsError('VALIDATION_FAILED', `${what} is not a language model: ${hint}.`)
}

// Providers are classes with methods on their prototypes, so own properties are not enough.
function isModel(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const { specificationVersion: version, provider, modelId } = value as Record<string, unknown>
  return (version === 'v3' || version === 'v4') && typeof provider === 'string' && typeof modelId === 'string'
}
