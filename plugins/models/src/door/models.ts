import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { quote } from '@minions/core'
import type { LanguageModels, ModelMessage, ModelReply } from '@minions/core/plugin'
import { guardMethods, takeList, takeOptions } from '@minions/core/plugin'
import { modelsError } from '../errors.js'
import type { AnswerCache } from '../matrix/answer-cache.js'
import { type EmbeddingModel, type LanguageModel, nameOf } from '../provider/language-model.js'
import type { AskRequest, ModelAnswer, ModelCall } from './call.js'
import type { Caller } from './caller.js'
import { conversationCalls, outsideTool, promptOf } from './conversation.js'
import { type Embeddings, embedAll } from './embed.js'
import type { UsageTotal } from './usage.js'

/** The models of an app by role. */
export interface ModelsByRole {
  readonly default: LanguageModel | undefined
  readonly roles: Readonly<Record<string, LanguageModel>>
  readonly embedding: EmbeddingModel | undefined
}

/** A configured model, as `models.list` shows it. */
export interface ListedModel {
  readonly role: string
  readonly model: string
  /** True if its price is known, so that costs can be limited. */
  readonly priced: boolean
}

/** The API of models in an app, `app.models`, through which all models are called. */
export class Models implements LanguageModels {
  /** Answers by the content of their requests, kept in the store. */
  readonly answers: AnswerCache
  readonly #models: ModelsByRole
  readonly #caller: Caller

  constructor(models: ModelsByRole, caller: Caller, answers: AnswerCache) {
    this.answers = answers
    this.#models = models
    this.#caller = caller
  }

  /** Requests text, JSON that matches a schema, or tool calls. Throws `MODEL_MISSING`, `MODEL_…` or `CANCELLED`. */
  async ask(request: AskRequest): Promise<ModelReply> {
    const { messages, tools, ...rest } = takeOptions('The request', request)
    const call = {
      ...rest,
      prompt: toPrompt(messages),
      ...(tools && { tools: takeList('The tools', tools).map(outsideTool) }),
    }
    const { text, toolCalls, model, usage, cost } = await this.call(call)
    return {
      text,
      model,
      usage,
      ...(toolCalls.length > 0 && { toolCalls: conversationCalls(toolCalls) }),
      ...(cost !== undefined && { cost }),
    }
  }

  /** Makes a call with everything that the AI SDK can express, including tools. Throws as `ask` does. */
  async call(call: ModelCall): Promise<ModelAnswer> {
    const { tools, stop, ...taken } = takeOptions('The call', call)
    requireRole(taken.role)
    const lists = {
      ...(tools && { tools: takeList('The tools', tools) }),
      ...(stop && { stop: takeList('The texts that end an answer', stop) }),
    }
    return this.#caller.call(taken.model ?? this.modelFor(taken.role), { ...taken, ...lists })
  }

  /** Turns texts into vectors, in the order of the texts. Throws `MODEL_MISSING`, `MODEL_…` or `CANCELLED`. */
  async embed(values: readonly string[], options: { readonly signal?: AbortSignal } = {}): Promise<Embeddings> {
    const { embedding } = this.#models
    if (!embedding) throw missing('embeddings', 'pass models({ embedding: … })')
    return embedAll(embedding, this.#caller, values, options.signal)
  }

  /** The model for a role, or the default one. Throws `MODEL_MISSING`. */
  modelFor(role: string | undefined): LanguageModel {
    requireRole(role)
    const { roles, default: fallback } = this.#models
    const model = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : fallback
    if (model) return model
    throw missing(role ?? 'default', 'pass models({ default: … }) or set MINIONS_MODEL')
  }

  /** True if a role has a model, including the default one. */
  has(role?: string): boolean {
    return this.#models.default !== undefined || (role !== undefined && Object.hasOwn(this.#models.roles, role))
  }

  list(): ListedModel[] {
    const { default: fallback, roles, embedding } = this.#models
    const all = [['default', fallback], ...Object.entries(roles), ['embedding', embedding]] as const
    return all.flatMap(([role, model]) =>
      model ? [{ role, model: nameOf(model), priced: this.knowsPriceOf(nameOf(model)) }] : [],
    )
  }

  /** True if the price of a model is known; it is named as `list` shows it. */
  knowsPriceOf(model: string): boolean {
    return this.#caller.knowsPrice(model)
  }

  /** What calls have used since the app was opened, by model and role. */
  usage(): UsageTotal[] {
    return this.#caller.ledger.totals()
  }
}

guardMethods(Models)

/** Throws `VALIDATION_FAILED` for a role that is not a string. */
export function requireRole<R extends string | undefined>(role: R): R {
  if (role === undefined || typeof role === 'string') return role
  throw modelsError('VALIDATION_FAILED', `A role must be a string, not ${quote(role)}.`)
}

const ROLES: readonly ModelMessage['role'][] = ['system', 'user', 'assistant', 'tool']

function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Prompt {
  const taken = takeList('The messages', messages)
  if (taken.length === 0) throw modelsError('VALIDATION_FAILED', 'A request to a model needs at least one message.')
  return promptOf(
    taken.map((message) => {
      const { role, content, toolCalls, toolCallId } = takeOptions('A message', message)
      if (typeof content !== 'string')
        throw modelsError('VALIDATION_FAILED', 'The content of a message must be a string.')
      if (!ROLES.includes(role))
        throw modelsError('VALIDATION_FAILED', `The role of a message must be one of ${ROLES.join(', ')}.`)
      return {
        role,
        content,
        ...(toolCalls && { tool_calls: takeList('The tool calls', toolCalls) }),
        ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
      }
    }),
  )
}

function missing(role: string, remedy: string): Error {
  return modelsError('MODEL_MISSING', `No model is configured for ${quote(role)}; ${remedy}.`, {
    details: { role },
  })
}
