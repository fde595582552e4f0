import { isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import type { ChatMessage, Model, ModelPart, Usage } from './model.js'
import type { ToolCall } from './tool.js'

export interface OpenAiModelOptions {
  /** Base URL of `/chat/completions`, e.g. `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  /** Request a streaming reply. Default: false. */
  readonly stream?: boolean
}

/** A model behind any server that speaks the OpenAI chat format. */
export const openAiModel = guarded('openAiModel', (options: OpenAiModelOptions): Model => {
  return async (messages, { signal, tools = [] }) => {
    const stream = options.stream === true
    const response = await fetch(`${options.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({
        model: options.model,
        messages: messages.map(toMessage),
        ...(tools.length > 0 && {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
        ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      }),
      ...(signal ? { signal } : {}),
    })
    if (!response.ok || !response.body) {
      const text = (await response.text()).slice(0, 1000)
      throw workspaceError('MODEL_FAILED', `The model server answered ${response.status}: ${text}`, {
        details: { status: response.status },
      })
    }
    return stream ? readEvents(response.body) : toPart(await response.json(), 'message')
  }
})

/** Reads server-sent events; the last one is `[DONE]`. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ModelPart> {
  const decoder = new TextDecoder()
  const calls: ToolCall[] = []
  let rest = ''
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = /^data: ?(.*)$/.exec(line)?.[1]
      if (data === '[DONE]') {
        if (calls.length > 0) yield { text: '', toolCalls: calls.filter(Boolean) }
        return
      }
      if (data === undefined) continue
      const value: unknown = JSON.parse(data)
      addCalls(calls, messageOf(value, 'delta'))
      yield toPart(value, 'delta')
    }
  }
  throw workspaceError('MODEL_FAILED', 'The model server ended the stream before the reply was complete.')
}

function toPart(value: unknown, kind: 'message' | 'delta'): ModelPart {
  const { usage, error } = isRecord(value) ? value : {}
  const message = messageOf(value, kind)
  const toolCalls: ToolCall[] = []
  if (kind === 'message') addCalls(toolCalls, message)
  if (error || (kind === 'message' && typeof message.content !== 'string' && toolCalls.length === 0)) {
    const text = `The model server gave no reply: ${JSON.stringify(error ?? value).slice(0, 1000)}`
    throw workspaceError('MODEL_FAILED', text)
  }
  return {
    text: typeof message.content === 'string' ? message.content : '',
    ...(isRecord(usage) && { usage: usage as Usage }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function messageOf(value: unknown, kind: 'message' | 'delta'): Record<string, unknown> {
  const { choices } = isRecord(value) ? value : {}
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isRecord(choice) ? choice[kind] : undefined
  return isRecord(message) ? message : {}
}

/** Adds tool calls of a message, or chunks of them in a stream, which carry the `index` of their call. */
function addCalls(calls: ToolCall[], { tool_calls }: Record<string, unknown>): void {
  for (const [position, piece] of (Array.isArray(tool_calls) ? tool_calls : []).entries()) {
    if (!isRecord(piece) || !isRecord(piece.function)) continue
    const index = Number.isSafeInteger(piece.index) ? (piece.index as number) : position
    if (index < 0 || index >= MAX_CALLS) continue
    const { id = `call_${index}`, name = '', arguments: json = '' } = calls[index] ?? {}
    calls[index] = {
      id: typeof piece.id === 'string' && piece.id !== '' ? piece.id : id,
      name: name + textOf(piece.function.name),
      arguments: `${json}${textOf(piece.function.arguments)}`,
    }
  }
}

const MAX_CALLS = 100

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function toMessage({ role, content, toolCalls, toolCallId }: ChatMessage) {
  const calls = toolCalls?.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
  return {
    role,
    content,
    ...(calls && { tool_calls: calls }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  }
}
