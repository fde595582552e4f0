import type { ConversationCall } from '../door/conversation.js'

/** The answer of an agent or a model. */
export interface Completion {
  readonly text: string
  readonly finish: string
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number }
  readonly tool_calls?: readonly ConversationCall[]
}

/** Properties shared by all parts of one answer. */
export interface Heading {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

export function completionBody(heading: Heading, { text, finish, usage, tool_calls = [] }: Completion): object {
  const calls = tool_calls.map(callOf)
  return {
    ...heading,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishOf(finish),
      },
    ],
    usage: usageOf(usage),
  }
}

export function chunk(heading: Heading, delta: object, finish: string | null = null): object {
  return {
    ...heading,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  }
}

export function* lastChunks(heading: Heading, { finish, usage, tool_calls = [] }: Completion, withUsage: boolean) {
  for (const [index, call] of tool_calls.entries()) yield chunk(heading, { tool_calls: [{ index, ...callOf(call) }] })
  yield chunk(heading, {}, finishOf(finish))
  if (withUsage) yield { ...heading, object: 'chat.completion.chunk', choices: [], usage: usageOf(usage) }
}

function callOf({ id, name, arguments: input }: ConversationCall) {
  return { id, type: 'function', function: { name, arguments: input } }
}

function usageOf({ inputTokens, outputTokens, totalTokens }: Completion['usage']) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens }
}

/** The protocol has few reasons; any limit is reported as `length`. */
function finishOf(finish: string): string {
  if (finish === 'tool-calls') return 'tool_calls'
  if (finish === 'content-filter') return 'content_filter'
  return finish === 'stop' || finish === 'other' ? 'stop' : 'length'
}
