import type { JsonObject } from '../json/json-value.js'
import { createToken } from './token.js'

/** A tool that a language model may call. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** A call of a tool by a language model. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, which may be anything. */
  readonly arguments: string
}

/** One message of a conversation with a language model. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** Of an assistant: the tools that it called. */
  readonly toolCalls?: readonly ModelToolCall[]
  /** Of a tool: the call that this is the result of. */
  readonly toolCallId?: string
}

/** A request to a language model. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  /** What the answer is for, such as `worker` or `judge`; chooses the model. The default model answers unless given. */
  readonly role?: string
  /** Tools that the model may call; the caller runs them and sends the results with the next request. */
  readonly tools?: readonly ModelTool[]
  /** JSON Schema of the answer, for models that can be held to one. */
  readonly schema?: JsonObject
  /** Most tokens of the answer. */
  readonly maxTokens?: number
  readonly temperature?: number
  /** Ends the call and closes its connection. */
  readonly signal?: AbortSignal
  /** Receives the text piece by piece while it arrives. */
  readonly onText?: (piece: string) => void
}

/** Tokens of one call. */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  /** True if the provider did not say, and the numbers were derived from the length of the texts. */
  readonly estimated?: boolean
}

/** The answer of a language model. */
export interface ModelReply {
  readonly text: string
  /** Absent when the model called no tool. */
  readonly toolCalls?: readonly ModelToolCall[]
  /** Provider and model, as `openai/gpt-5`. */
  readonly model: string
  readonly usage: ModelUsage
  /** In the currency of the price table; undefined when the price of the model is not known. */
  readonly cost?: number
}

/** The language models of an app. */
export interface LanguageModels {
  ask(request: ModelRequest): Promise<ModelReply>
}

/** Stands for the language models of an app. `@minions/models` provides it; ask for it as `optional(languageModels)`. */
export const languageModels = createToken<LanguageModels>('@minions/core/language-models')
