import { workspaceError } from '../errors.js'
import { isObject } from '../json/copy.js'

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** What a call cost, in the words of the model: `{ prompt_tokens, completion_tokens, total_tokens }`, say. */
export type Usage = Readonly<Record<string, unknown>>

/** A whole reply, or a piece of one in a stream; `content` is taken as well as `text`. */
export interface ModelPart {
  readonly text?: string
  readonly content?: string
  readonly usage?: Usage
}

export type ModelOutput = string | ModelPart | AsyncIterable<string | ModelPart>

/** A language model: messages in, text or a stream of text out. */
export type Model = (
  messages: readonly ChatMessage[],
  options: { readonly signal?: AbortSignal },
) => ModelOutput | Promise<ModelOutput>

/** A piece of a reply in one form, whatever the model gave. */
export interface ReplyPart {
  readonly text: string
  readonly usage?: Usage
}

/** Calls a model and gives its reply in pieces. Stops waiting when the signal fires, also for a model that ignores it. */
export async function* callModel(
  model: Model,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): AsyncGenerator<ReplyPart, void> {
  const abort = abortion(signal)
  try {
    const output = await abort.race(Promise.resolve(model(messages, signal ? { signal } : {})))
    if (typeof output !== 'object' || output === null || !(Symbol.asyncIterator in output)) {
      yield toPart(output, true)
      return
    }
    yield* pieces(output[Symbol.asyncIterator](), abort.race)
  } finally {
    abort.dispose()
  }
}

async function* pieces(
  iterator: AsyncIterator<string | ModelPart>,
  race: <T>(promise: Promise<T>) => Promise<T>,
): AsyncGenerator<ReplyPart, void> {
  let ended = false
  try {
    for (;;) {
      const step = await race(iterator.next())
      if (step.done) {
        ended = true
        return
      }
      yield toPart(step.value, false)
    }
  } finally {
    // Not awaited: a stream that hangs must not hold up whoever cancelled it.
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

function toPart(value: unknown, whole: boolean): ReplyPart {
  if (typeof value === 'string') return { text: value }
  const part: Record<string, unknown> = isObject(value) ? value : {}
  const text = part.text ?? part.content ?? (whole ? undefined : '')
  if (typeof text !== 'string' || !isObject(value)) {
    throw workspaceError(
      'MODEL_FAILED',
      'The model gave something that is no text. Return a text, { text, usage } or a stream.',
    )
  }
  return isObject(part.usage) ? { text, usage: part.usage } : { text }
}

function abortion(signal: AbortSignal | undefined) {
  let fire: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    fire = () => reject(signal?.reason)
    if (signal?.aborted) fire()
    else signal?.addEventListener('abort', fire, { once: true })
  })
  aborted.catch(() => undefined)
  return {
    race: <T>(promise: Promise<T>): Promise<T> => (signal ? Promise.race([promise, aborted]) : promise),
    dispose: () => signal?.removeEventListener('abort', fire),
  }
}
