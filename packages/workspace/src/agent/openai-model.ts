import { workspaceError } from '../errors.js'
import { isObject } from '../json/copy.js'
import type { Model, ModelPart, Usage } from './model.js'

export interface OpenAiModelOptions {
  /** Where `/chat/completions` is, e.g. `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  /** Ask for the reply piece by piece. Default: false. */
  readonly stream?: boolean
}

/** A model behind any server that speaks the OpenAI chat format. */
export function openAiModel(options: OpenAiModelOptions): Model {
  return async (messages, { signal }) => {
    const stream = options.stream === true
    const response = await fetch(`${options.baseUrl.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({
        model: options.model,
        messages,
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
}

/** Reads server-sent events; the last one is `[DONE]`. */
async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ModelPart> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const data = /^data: ?(.*)$/.exec(line)?.[1]
      if (data === '[DONE]') return
      if (data !== undefined) yield toPart(JSON.parse(data), 'delta')
    }
  }
  throw workspaceError('MODEL_FAILED', 'The model server ended the stream before the reply was complete.')
}

function toPart(value: unknown, kind: 'message' | 'delta'): ModelPart {
  const { choices, usage, error } = isObject(value) ? value : {}
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = isObject(choice) ? choice[kind] : undefined
  const content = isObject(message) ? message.content : undefined
  if (error || (kind === 'message' && typeof content !== 'string')) {
    throw workspaceError(
      'MODEL_FAILED',
      `The model server gave no reply: ${JSON.stringify(error ?? value).slice(0, 1000)}`,
    )
  }
  const text = typeof content === 'string' ? content : ''
  return isObject(usage) ? { text, usage: usage as Usage } : { text }
}
