import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
} from '@ai-sdk/provider'
import type { ModelReply, ModelRequest, ModelTool } from '@minions/core/plugin'
import type { LanguageModel } from '../provider/language-model.js'

/** A call to a model in terms of the AI SDK, with everything that the SDK can express. */
export interface ModelCall {
  readonly prompt: LanguageModelV4Prompt
  /** What the answer is for; chooses the model. */
  readonly role?: string | undefined
  /** A model that takes precedence over that of the role. */
  readonly model?: LanguageModel | undefined
  readonly tools?: readonly LanguageModelV4FunctionTool[] | undefined
  readonly toolChoice?: LanguageModelV4ToolChoice | undefined
  /** Schema of the answer: JSON Schema, TypeBox, or a Standard Schema that has a JSON Schema. */
  readonly schema?: object | undefined
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Receives the text in chunks; without it the answer is not streamed. */
  readonly onText?: ((piece: string) => void) | undefined
  /**
   * Called when a partly delivered answer is requested again from its beginning. Without it such a request is not
   * repeated, and the call fails.
   */
  readonly onRestart?: (() => void) | undefined
  /** Sent as the header `Idempotency-Key`: a provider that honours it does not process a repeated request again. */
  readonly idempotencyKey?: string | undefined
}

/** A request to a model, with schemas of any library that has a JSON Schema. */
export interface AskRequest extends Omit<ModelRequest, 'schema' | 'tools'> {
  /** Schema of the answer. */
  readonly schema?: object
  readonly tools?: readonly (Omit<ModelTool, 'parameters'> & { readonly parameters: object })[]
}

/** A tool call of a model. `input` is what it wrote, which may be anything. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: string
}

export const FINISH_REASONS = ['stop', 'length', 'tool-calls', 'content-filter', 'other'] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/** A complete answer. */
export interface ModelAnswer extends Omit<ModelReply, 'toolCalls'> {
  readonly toolCalls: readonly ToolCall[]
  readonly finish: FinishReason
  /** The answer as a message, to be sent back in the next call. */
  readonly message: Extract<LanguageModelV4Message, { role: 'assistant' }>
}
