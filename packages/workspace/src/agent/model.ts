import { abortable } from '@minions/core/coordination'
import { isRecord, type JsonObject } from '@minions/core/json'
import { workspaceError } from '../errors.js'
import type { ToolCall, ToolDefinition } from './tool.js'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** For an assistant: the tools it requested. */
  readonly toolCalls?: readonly ToolCall[]
  /** For a tool: the call that this is the result of. */
  readonly toolCallId?: string
}

/** Usage in the model's own terms, e.g. `{ prompt_tokens, completion_tokens, total_tokens }`. */
export type Usage = Readonly<Record<string, unknown>>

/** A whole reply, or a chunk of one in a stream; `content` is accepted as well as `text`. */
export interface ModelPart {
  readonly text?: string
  readonly content?: string
  readonly usage?: Usage
  /** Complete tool calls requested by the model. */
  readonly toolCalls?: readonly ToolCall[]
}

export type ModelOutput = string | ModelPart | AsyncIterable<string | ModelPart>

export interface ModelOptions {
  readonly signal?: AbortSignal
  /** Tools the model may request. */
  readonly tools?: readonly ToolDefinition[]
}

/** A language model: messages in, text or a stream of text out. */
export type Model = (messages: readonly ChatMessage[], options: ModelOptions) => ModelOutput | Promise<ModelOutput>

/** A normalised chunk of a reply. */
export interface ReplyPart {
  readonly text: string
  readonly usage?: Usage
  readonly toolCalls?: readonly ToolCall[]
}

/** Calls a model and yields its reply in chunks. Stops waiting when the signal fires, even if the model ignores it. */
export async function* callModel(
  model: Model,
  messages: readonly ChatMessage[],
  options: ModelOptions,
): AsyncGenerator<ReplyPart, void> {
  const output = await abortable(Promise.resolve(model(messages, options)), options.signal)
  if (typeof output === 'object' && output !== null && Symbol.asyncIterator in output) {
    yield* pieces(output[Symbol.asyncIterator](), options.signal)
  } else yield toPart(output, true)
}

async function* pieces(
  iterator: AsyncIterator<string | ModelPart>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReplyPart, void> {
  let ended = false
  try {
    for (;;) {
      const step = await abortable(Promise.resolve(iterator.next()), signal)
      if (step.done) {
        ended = true
        return
      }
      yield toPart(step.value, false)
    }
  } finally {
    // Not awaited: a hanging stream must not delay the caller that cancelled it.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

function toPart(value: unknown, whole: boolean): ReplyPart {
  if (typeof value === 'string') return { text: value }
  const part: Record<string, unknown> = isRecord(value) ? value : {}
  const toolCalls = toToolCalls(part.toolCalls)
  const text = part.text ?? part.content ?? (whole && toolCalls.length === 0 ? undefined : '')
  if (typeof text !== 'string' || !isRecord(value)) {
    const message = 'The model returned something that is not a string. Return a string, { text, usage } or a stream.'
    throw workspaceError('MODEL_FAILED', message)
  }
  return {
    text,
    ...(isRecord(part.usage) && { usage: part.usage }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function toToolCalls(value: unknown): ToolCall[] {
  if (value === undefined || value === null) return []
  const calls = Array.isArray(value) ? value : [undefined]
  return calls.map((call: unknown, index) => {
    const { id = `call_${index}`, name, arguments: given = {} } = isRecord(call) ? call : {}
    if (typeof name === 'string' && typeof id === 'string' && (typeof given === 'string' || isRecord(given))) {
      return { id, name, arguments: given as string | JsonObject }
    }
    throw workspaceError('MODEL_FAILED', 'The model requested tools in a form other than [{ id, name, arguments }].')
  })
}
