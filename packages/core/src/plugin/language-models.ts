import type { JsonObject } from '../json/json-value.js'
import { createToken } from './token.js'

/** A tool that a language model may call. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A tool call by a language model. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, possibly malformed. */
  readonly arguments: string
}

/** One message of a conversation with a language model. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** For an assistant: the tools it called. */
  readonly toolCalls?: readonly ModelToolCall[]
  /** For a tool: the call that this is the result of. */
  readonly toolCallId?: string
}

/** A request to a language model. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  /** Purpose of the answer, such as `worker` or `judge`; selects the model. Default: the default model. */
  readonly role?: string
  /** Tools that the model may call; the caller runs them and sends the results with the next request. */
  readonly tools?: readonly ModelTool[]
  /** JSON Schema of the answer, for models with structured output. */
  readonly schema?: JsonObject
  /** Maximum number of tokens in the answer. */
  readonly maxTokens?: number
  readonly temperature?: number
  /** Aborts the call and closes its connection. */
  readonly signal?: AbortSignal
  /** Receives the text in chunks as it arrives. */
  readonly onText?: (piece: string) => void
}

/** Token usage of one call. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  /** True if the provider did not report usage, and the numbers are estimated from the length of the texts. */
  readonly estimated?: boolean
}

/** The answer of a language model. */
export interface ModelReply {
  readonly text: string
  /** Absent when the model called no tool. */
  readonly toolCalls?: readonly ModelToolCall[]
  /** Provider and model, e.g. `openai/gpt-5`. */
  readonly model: string
  readonly usage: ModelUsage
  /** In the currency of the price table; undefined when the price is not known. */
  readonly cost?: number
}

/** The language models of an app. */
export interface LanguageModels {
  ask(request: ModelRequest): Promise<ModelReply>
}

/** Token of the language models of an app, which `@minions/models` provides; use `optional(languageModels)`. */
export const languageModels = createToken<LanguageModels>('@minions/core/language-models')
