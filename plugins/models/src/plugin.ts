import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemTimers, type Timers } from '@minions/core/coordination'
import { operations } from '@minions/core/operations'
import {
  definePlugin,
  guarded,
  languageModels,
  optional,
  provide,
  sharedLimits,
  takeOptions,
  tokens,
} from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import type { StoreAccess } from '@minions/core/storage'
import { Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import { Cassette, type CassetteOptions } from './cassette/cassette.js'
import { recordedEmbeddingModel } from './cassette/recorded-embedding-model.js'
import { recordedModel } from './cassette/recorded-model.js'
import { Caller, type CallerParts } from './door/caller.js'
import { DEFAULT_LIMITS, type Limits, LimitsSchema } from './door/limits.js'
import { Models, type ModelsByRole } from './door/models.js'
import { parsePrices } from './door/parse-prices.js'
import { PriceSchema, type Prices, priceOf } from './door/prices.js'
import { Redactor } from './door/redactor.js'
import { modelsError } from './errors.js'
import { AnswerCache, answersCollection } from './matrix/answer-cache.js'
import { modelOperations } from './operations.js'
import {
  type EmbeddingModel,
  isEmbeddingModel,
  type LanguageModel,
  requireLanguageModel,
} from './provider/language-model.js'
import { lazyModel } from './provider/lazy-model.js'
import { type LoadOptions, loadEmbeddingModel, loadLanguageModel } from './provider/load-model.js'
import { modelsRef } from './ref.js'

export interface ModelsOptions {
  /** A model of an AI SDK provider, or a string such as `openai#gpt-5`; MINIONS_MODEL by default. */
  readonly default?: LanguageModel | string
  /** Models for mission roles, for `judge`, or for names of your own. */
  readonly roles?: Readonly<Record<string, LanguageModel | string>>
  /** Model for embeddings; MINIONS_EMBEDDING_MODEL by default. */
  readonly embedding?: EmbeddingModel | string
  readonly limits?: Limits
  /**
   * Prices per million tokens, which take precedence over those of the file in MINIONS_MODEL_PRICES; without one, the
   * cost of a model is unknown.
   */
  readonly prices?: Prices
  /** Keys to redact from stores, logs, errors and cassettes, besides those of the environment. */
  readonly secrets?: readonly string[]
  /** Records answers to a file, or answers from it. */
  readonly cassette?: CassetteOptions
  /** Folder from which provider packages are imported; the current one by default. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly timers?: Timers
  /** Spreads waits before retries; from 0 to 1. */
  readonly random?: () => number
}

const OptionsSchema = strictObject({
  default: Type.Optional(Type.String({ minLength: 1 })),
  roles: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
  embedding: Type.Optional(Type.String({ minLength: 1 })),
  limits: Type.Optional(LimitsSchema),
  prices: Type.Optional(Type.Record(Type.String(), PriceSchema)),
  secrets: Type.Optional(Type.Array(Type.String())),
  cassette: Type.Optional(
    Type.Object({ file: Type.String({ minLength: 1 }), mode: Type.Enum(['record', 'replay', 'auto']) }),
  ),
  folder: Type.Optional(Type.String({ minLength: 1 })),
})

/** Language models as a plugin: `app.models`, and the service `languageModels` for other plugins. */
export const models = guarded('models', (options: ModelsOptions = {}) => {
  return definePlugin({
    ref: modelsRef,
    version: manifest.version,
    deps: { clock: tokens.clock, log: tokens.logger, store: tokens.store, shared: optional(sharedLimits) },
    collections: [answersCollection],
    options: { schema: OptionsSchema, value: settingsOf(options) },
    contributes: [[operations, modelOperations]],
    provides: [provide(languageModels, (api: Models) => api)],
    setup: (deps) => openModels(options, deps),
  })
})

async function openModels(
  options: ModelsOptions,
  { store, ...services }: Pick<CallerParts, 'clock' | 'log' | 'shared'> & { readonly store: StoreAccess },
): Promise<Models> {
  const { environment = process.env, timers = systemTimers, random = Math.random } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const redactor = new Redactor(options.secrets ?? [], environment)
  const load: LoadOptions = {
    folder: options.folder ?? process.cwd(),
    apiKey: environment.MINIONS_MODEL_API_KEY,
    maxBytes: limits.answerBytes,
  }
  const cassette = options.cassette && (await Cassette.open(options.cassette, redactor))
  const byRole = await modelsByRole(options, environment, load)
  const prices = await withPriceFile(options.prices ?? {}, environment.MINIONS_MODEL_PRICES, load.folder)
  const caller = new Caller({ ...services, limits, prices, redactor, timers, random })
  return new Models(cassette ? onCassette(byRole, cassette) : byRole, caller, new AnswerCache(store, services.clock))
}

/** Prices from code, then those of a file. */
async function withPriceFile(prices: Prices, file: string | undefined, folder: string): Promise<Prices> {
  if (!file) return prices
  const text = await readFile(resolve(folder, file), 'utf8').catch((cause: unknown) => {
    throw modelsError('PRICES_INVALID', `The file ${file} of MINIONS_MODEL_PRICES cannot be read.`, { cause })
  })
  const table = parsePrices(text)
  return (model) => priceOf(prices, model) ?? priceOf(table, model)
}

async function modelsByRole(
  options: ModelsOptions,
  environment: Readonly<Record<string, string | undefined>>,
  load: LoadOptions,
): Promise<ModelsByRole> {
  const modelOf = async (given: LanguageModel | string, what: string) =>
    requireLanguageModel(typeof given === 'string' ? await loadLanguageModel(given, load) : given, what)
  const fallback =
    options.default ?? (environment.MINIONS_MODEL ? lazyModel(environment.MINIONS_MODEL, load) : undefined)
  const roles: [string, LanguageModel][] = []
  for (const [role, given] of Object.entries(options.roles ?? {})) {
    roles.push([role, await modelOf(given, `\`roles.${role}\``)])
  }
  const embedding = options.embedding ?? (environment.MINIONS_EMBEDDING_MODEL || undefined)
  const loaded = typeof embedding === 'string' ? await loadEmbeddingModel(embedding, load) : embedding
  if (loaded !== undefined && !isEmbeddingModel(loaded)) {
    throw modelsError('VALIDATION_FAILED', '`embedding` is not an embedding model of an AI SDK provider for ai 6 or 7.')
  }
  return {
    default: fallback === undefined ? undefined : await modelOf(fallback, '`default`'),
    roles: Object.fromEntries(roles),
    embedding: loaded,
  }
}

function onCassette(models: ModelsByRole, cassette: Cassette): ModelsByRole {
  const roles = Object.entries(models.roles).map(([role, model]) => [role, recordedModel(model, cassette)])
  return {
    ...models,
    default: models.default && recordedModel(models.default, cassette),
    roles: Object.fromEntries(roles) as Readonly<Record<string, LanguageModel>>,
    embedding: models.embedding && recordedEmbeddingModel(models.embedding, cassette),
  }
}

/** The options that a schema can check: all but models, functions and parts of the runtime. */
function settingsOf(options: ModelsOptions): unknown {
  const {
    timers: _t,
    random: _r,
    environment: _e,
    prices,
    default: fallback,
    embedding,
    roles,
    ...rest
  } = takeOptions('The options of models', options)
  const texts = Object.entries(takeOptions('The roles of models', roles)).filter(([, each]) => typeof each === 'string')
  return {
    ...rest,
    ...(typeof prices === 'object' && { prices }),
    ...(typeof fallback === 'string' && { default: fallback }),
    ...(typeof embedding === 'string' && { embedding }),
    ...(roles !== undefined && { roles: Object.fromEntries(texts) }),
  }
}
