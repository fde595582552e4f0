import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { abortable, type Timers } from '@minions/core/coordination'
import { modelsError } from '../errors.js'
import { answerTooLarge } from '../provider/bounded-fetch.js'
import type { EffectiveLimits } from './limits.js'

/** The raw, complete answer of a provider. */
export interface RawAnswer {
  readonly content: readonly LanguageModelV4Content[]
  readonly finishReason: LanguageModelV4FinishReason
  readonly usage: LanguageModelV4Usage | undefined
}

export interface Conditions extends Pick<EffectiveLimits, 'answerBytes' | 'timeoutMs' | 'idleMs'> {
  readonly signal: AbortSignal | undefined
  readonly onText?: ((piece: string) => void) | undefined
  /** Receives the parts of the answer as they arrive. */
  readonly onPart?: ((part: LanguageModelV4StreamPart) => void) | undefined
  readonly timers: Timers
}

type CallOptions = Omit<LanguageModelV4CallOptions, 'abortSignal'>

/**
 * Makes one attempt at a call. Ends when the signal is aborted or the time is up, even for a provider that ignores its
 * signal, and then closes the connection.
 */
export async function callModel(
  model: LanguageModelV4,
  options: CallOptions,
  conditions: Conditions,
): Promise<RawAnswer> {
  const { signal, timers, timeoutMs } = conditions
  signal?.throwIfAborted()
  const attempt = new AbortController()
  const stop = () => attempt.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const cancelTimer = timers.set(timeoutMs, () => attempt.abort(tooSlow(`took more than ${timeoutMs} ms`)))
  try {
    const call = { ...options, abortSignal: attempt.signal }
    const isStreamed = conditions.onText !== undefined || conditions.onPart !== undefined
    const answer = isStreamed ? stream(model, call, conditions, attempt) : generate(model, call, conditions)
    return await abortable(answer, attempt.signal)
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', stop)
  }
}

async function generate(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  { answerBytes }: Conditions,
): Promise<RawAnswer> {
  const { content, finishReason, usage, structuredOutputText } = await model.doGenerate(call)
  const bytes = content.reduce((sum, part) => sum + sizeOf(part), 0)
  if (bytes > answerBytes) throw answerTooLarge(answerBytes)
  const structured = structuredOutputText === undefined ? [] : [{ type: 'text' as const, text: structuredOutputText }]
  const rest = structured.length > 0 ? content.filter(({ type }) => type !== 'text') : content
  return { content: [...structured, ...rest], finishReason, usage }
}

async function stream(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  { answerBytes, idleMs, timers, onText, onPart }: Conditions,
  attempt: AbortController,
): Promise<RawAnswer> {
  const reader = (await model.doStream(call)).stream.getReader()
  const collected = new Collector()
  let bytes = 0
  // A reader that is cancelled closes the connection, whatever the provider makes of the signal.
  const cancel = () => void reader.cancel(attempt.signal.reason).catch(() => undefined)
  attempt.signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const { done, value } = await withinIdle(reader.read(), idleMs, timers, attempt)
      if (done) return collected.answer()
      bytes += 'delta' in value ? value.delta.length : value.type === 'tool-call' ? value.input.length : 0
      if (bytes > answerBytes) {
        const error = answerTooLarge(answerBytes)
        attempt.abort(error)
        throw error
      }
      collected.add(value)
      onPart?.(value)
      if (value.type === 'text-delta' && value.delta !== '') onText?.(value.delta)
    }
  } finally {
    attempt.signal.removeEventListener('abort', cancel)
  }
}

/** Puts the parts of a stream together. */
class Collector {
  readonly #content: LanguageModelV4Content[] = []
  readonly #open = new Map<string, { type: 'text' | 'reasoning'; text: string; providerMetadata?: never }>()
  #finish: { readonly finishReason: LanguageModelV4FinishReason; readonly usage: LanguageModelV4Usage } | undefined

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part.id)
        return
      case 'text-delta':
        this.#begin('text', part.id).text += part.delta
        return
      case 'reasoning-delta':
        this.#begin('reasoning', part.id).text += part.delta
        return
      case 'text-end':
      case 'reasoning-end': {
        const open = this.#open.get(part.id)
        if (open && part.providerMetadata) Object.assign(open, { providerMetadata: part.providerMetadata })
        this.#open.delete(part.id)
        return
      }
      case 'tool-call':
        this.#content.push(part)
        return
      case 'finish':
        this.#finish = part
        return
      case 'error':
        throw part.error
      default:
    }
  }

  answer(): RawAnswer {
    if (this.#finish === undefined) throw answerCut()
    return { content: this.#content, ...this.#finish }
  }

  /** Some providers omit the start part. */
  #begin(type: 'text' | 'reasoning', id: string) {
    const known = this.#open.get(id)
    if (known?.type === type) return known
    const begun = { type, text: '' }
    this.#open.set(id, begun)
    this.#content.push(begun)
    return begun
  }
}

async function withinIdle<T>(read: Promise<T>, idleMs: number, timers: Timers, attempt: AbortController): Promise<T> {
  const cancelTimer = timers.set(idleMs, () => attempt.abort(tooSlow(`sent nothing for ${idleMs} ms`)))
  try {
    return await abortable(read, attempt.signal)
  } finally {
    cancelTimer()
  }
}

function sizeOf(part: LanguageModelV4Content): number {
  if (part.type === 'text' || part.type === 'reasoning') return part.text.length
  return part.type === 'tool-call' ? part.input.length : 0
}

function tooSlow(what: string): Error {
  return modelsError('MODEL_TIMEOUT', `The model ${what}; raise \`limits.timeoutMs\` or \`limits.idleMs\` if it may.`)
}

export function answerCut(): Error {
  return modelsError('MODEL_ANSWER_CUT', 'The answer of the model ended before it was complete.')
}
