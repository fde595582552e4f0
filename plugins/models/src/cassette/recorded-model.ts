import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { systemTimers } from '@minions/core/coordination'
import { copyJson, type JsonValue } from '@minions/core/json'
import { callModel, type RawAnswer } from '../door/call-model.js'
import { asLanguageModel, type LanguageModel } from '../provider/language-model.js'
import type { Cassette } from './cassette.js'

type OnPart = (part: LanguageModelV4StreamPart) => void

const NO_LIMITS = { answerBytes: Number.MAX_SAFE_INTEGER, timeoutMs: 2 ** 31 - 1, idleMs: 2 ** 31 - 1 }

/** A model whose answers are recorded on a cassette, or come from it. Streamed or not, a request has one answer. */
export function recordedModel(given: LanguageModel, cassette: Cassette): LanguageModelV4 {
  const model = asLanguageModel(given)
  const answerOf = async (options: LanguageModelV4CallOptions, onPart?: OnPart) => {
    const request = requestOf(model, options)
    const known = cassette.find(request)
    // What a cassette has for the request of a model is what was recorded below.
    if (known !== undefined) return known as unknown as RawAnswer
    const { abortSignal: signal, ...call } = options
    const answer = await callModel(model, call, { ...NO_LIMITS, signal, onPart, timers: systemTimers })
    const kept = plain(answer)
    await cassette.record(request, kept)
    // JSON of an answer is the answer without what was undefined.
    return kept as unknown as RawAnswer
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const { content, finishReason, usage } = await answerOf(options)
      return { content: [...content], finishReason, usage: usage ?? UNKNOWN_USAGE, warnings: [] }
    },
    async doStream(options) {
      return { stream: streamOf((onPart) => answerOf(options, onPart)) }
    },
  }
}

const UNKNOWN_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

/** Everything that decides an answer. Headers, which may hold keys, are left out. */
function requestOf({ provider, modelId }: LanguageModelV4, options: LanguageModelV4CallOptions): JsonValue {
  const { abortSignal: _signal, headers: _headers, includeRawChunks: _raw, ...request } = options
  return plain({ provider, modelId, ...request })
}

/** A copy of a value as JSON, without properties that are undefined. */
export function plain(value: unknown): JsonValue {
  return copyJson(JSON.parse(JSON.stringify(value)) as JsonValue)
}

/** A live answer is forwarded as it arrives, so that it has the same parts whether it is recorded or not. */
function streamOf(answerOf: (onPart: OnPart) => Promise<RawAnswer>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>({
    async start(controller) {
      let isLive = false
      try {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        const { content, finishReason, usage } = await answerOf((part) => {
          isLive = true
          if (part.type !== 'stream-start' && part.type !== 'finish') controller.enqueue(part)
        })
        for (const [index, part] of isLive ? [] : content.entries()) {
          for (const each of partsOf(part, `${index}`)) controller.enqueue(each)
        }
        controller.enqueue({ type: 'finish', finishReason, usage: usage ?? UNKNOWN_USAGE })
        controller.close()
      } catch (error) {
        controller.error(error)
      }
    },
  })
}

function* partsOf(part: LanguageModelV4Content, id: string): Generator<LanguageModelV4StreamPart> {
  if (part.type === 'text' || part.type === 'reasoning') {
    yield { type: `${part.type}-start`, id }
    yield { type: `${part.type}-delta`, id, delta: part.text }
    yield { type: `${part.type}-end`, id, ...(part.providerMetadata && { providerMetadata: part.providerMetadata }) }
  } else if (part.type === 'tool-call') yield part
}
