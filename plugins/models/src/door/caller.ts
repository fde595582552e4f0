import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Clock } from '@minions/core'
import { sleep, type Timers } from '@minions/core/coordination'
import { getOrInsert } from '@minions/core/json'
import { type Logger, readMillis, type SharedLimits } from '@minions/core/plugin'
import { asJsonSchema } from '@minions/core/schema'
import { modelsError } from '../errors.js'
import { asLanguageModel, type LanguageModel, nameOf } from '../provider/language-model.js'
import type { ModelAnswer, ModelCall } from './call.js'
import { callModel } from './call-model.js'
import { charactersIn } from './characters-in.js'
import { type Failure, failureOf } from './failure.js'
import type { EffectiveLimits } from './limits.js'
import { costOf, type Prices, priceOf } from './prices.js'
import { RateGate } from './rate-gate.js'
import { readAnswer } from './read-answer.js'
import type { Redactor } from './redactor.js'
import { estimateTokens, tokensOf, UsageLedger } from './usage.js'

export interface CallerParts {
  readonly limits: EffectiveLimits
  readonly prices: Prices
  readonly redactor: Redactor
  readonly timers: Timers
  readonly clock: Clock
  readonly log: Logger
  readonly random: () => number
  /** Shares limits with other processes. */
  readonly shared?: SharedLimits | undefined
}

const FIRST_WAIT = 500
const LONGEST_WAIT = 30_000

/** Calls models within the limits, with retries where useful, and records the cost. */
export class Caller {
  readonly ledger = new UsageLedger()
  readonly #parts: CallerParts
  readonly #gates = new Map<string, RateGate>()

  constructor(parts: CallerParts) {
    this.#parts = parts
  }

  /** Throws the codes `MODEL_…`, or `CANCELLED` when the signal of the call is aborted. */
  async call(model: LanguageModel, call: ModelCall): Promise<ModelAnswer> {
    const { log, limits } = this.#parts
    const name = nameOf(model)
    const role = call.role ?? 'default'
    const characters = charactersIn(call.prompt) + charactersIn(call.tools ?? [])
    for (let attempt = 1; ; attempt++) {
      const given = { text: false }
      try {
        const answer = await this.#attempt(model, call, characters, given)
        this.ledger.add(name, role, { ...answer.usage, cost: answer.cost })
        return answer
      } catch (thrown) {
        if (call.signal?.aborted) throw cancelled(name)
        this.ledger.add(name, role, undefined)
        const failure = this.failure(thrown, name)
        const wait = attempt > limits.retries ? undefined : this.#waitAfter(failure, attempt)
        if (wait === undefined || (given.text && !call.onRestart)) throw failure.error
        if (modelsError.is(failure.error, 'MODEL_RATE_LIMITED')) this.#gate(name).pause(wait)
        log.warn('a call to a model is retried', { model: name, role, attempt, code: failure.error.code, waitMs: wait })
        await this.#wait(wait, name, call.signal)
        if (given.text) call.onRestart?.()
      }
    }
  }

  /** Classifies an error of a provider. */
  failure(thrown: unknown, model: string): Failure {
    return failureOf(thrown, model, this.#parts.redactor, readMillis(this.#parts.clock))
  }

  /** Runs other calls to a provider, such as for embeddings, within the same limits. */
  async guarded<T>(name: string, tokens: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#gate(name).run(tokens, signal, work)
      } catch (thrown) {
        if (signal?.aborted) throw cancelled(name)
        const failure = this.failure(thrown, name)
        const wait = attempt > this.#parts.limits.retries ? undefined : this.#waitAfter(failure, attempt)
        if (wait === undefined) throw failure.error
        await this.#wait(wait, name, signal)
      }
    }
  }

  costOf(model: string, counts: Parameters<typeof costOf>[1]): number | undefined {
    const price = priceOf(this.#parts.prices, model)
    return price && costOf(price, counts)
  }

  knowsPrice(model: string): boolean {
    return priceOf(this.#parts.prices, model) !== undefined
  }

  async #attempt(
    model: LanguageModel,
    call: ModelCall,
    characters: number,
    given: { text: boolean },
  ): Promise<ModelAnswer> {
    const { limits, redactor, timers, log } = this.#parts
    const name = nameOf(model)
    const estimate = estimateTokens(characters) + (call.maxTokens ?? 0)
    const pieces = redactor.stream((piece) => {
      given.text = true
      call.onText?.(piece)
    })
    return this.#gate(name).run(estimate, call.signal, async (settle) => {
      const began = timers.now()
      const conditions = { ...limits, signal: call.signal, onText: call.onText && pieces.write, timers }
      const raw = await callModel(asLanguageModel(model), optionsOf(call), conditions)
      pieces.end()
      const read = readAnswer(raw, redactor)
      const said = read.text.length + read.toolCalls.reduce((sum, { input }) => sum + input.length, 0)
      const counts = tokensOf(raw.usage, characters, said)
      settle(counts.totalTokens)
      const { cachedTokens: _, ...usage } = counts
      const cost = this.costOf(name, counts)
      log.debug('a model answered', { model: name, ...usage, ms: Math.round(timers.now() - began) })
      return { ...read, model: name, usage, ...(cost !== undefined && { cost }) }
    })
  }

  /** Milliseconds before the next attempt; undefined if there should be none. */
  #waitAfter({ retryable, retryAfterMs }: Failure, attempt: number): number | undefined {
    const { limits, random } = this.#parts
    if (!retryable || (retryAfterMs ?? 0) > limits.maxRetryAfterMs) return undefined
    const grown = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))
    return retryAfterMs ?? Math.round(grown * (0.5 + random() / 2))
  }

  async #wait(milliseconds: number, model: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await sleep(milliseconds, this.#parts.timers, signal)
    } catch {
      throw cancelled(model)
    }
  }

  #gate(name: string): RateGate {
    const { limits, timers, shared } = this.#parts
    const create = () => new RateGate(limits, timers, shared && { limits: shared, model: name })
    return getOrInsert(this.#gates, name, create)
  }
}

function optionsOf(call: ModelCall): Omit<LanguageModelV4CallOptions, 'abortSignal'> {
  const { schema, tools, toolChoice, maxTokens, temperature, stop, idempotencyKey } = call
  // Artifacts have optional properties, which the strict mode of OpenAI does not know.
  const lenient = { strictJsonSchema: false }
  return {
    prompt: call.prompt,
    ...(tools && tools.length > 0 && { tools: [...tools], toolChoice: toolChoice ?? { type: 'auto' } }),
    ...(schema && {
      responseFormat: { type: 'json', schema: { ...asJsonSchema(schema) }, name: 'answer' },
      providerOptions: { openai: lenient, openaiCompatible: lenient },
    }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(stop && { stopSequences: [...stop] }),
    ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
  }
}

function cancelled(model: string): Error {
  return modelsError('CANCELLED', `The call to ${model} was cancelled.`, { details: { model } })
}
