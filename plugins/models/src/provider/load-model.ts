import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { messageOf } from '@minions/core'
import { modelsError } from '../errors.js'
import { boundedFetch } from './bounded-fetch.js'
import { type EmbeddingModel, isEmbeddingModel, isLanguageModel, type LanguageModel } from './language-model.js'
import { parseModelSpec } from './model-spec.js'

export interface LoadOptions {
  /** Folder of the application, from which provider packages are imported. */
  readonly folder: string
  /** Key for an OpenAI-compatible server; other providers read their own environment variable. */
  readonly apiKey?: string | undefined
  /** Maximum size in bytes of one answer. */
  readonly maxBytes: number
}

/** A module, an object, or a function with properties. */
type Provider = object

/** Creates the language model that a string names. Throws `MODEL_SPEC_INVALID` or `PROVIDER_MISSING`. */
export async function loadLanguageModel(text: string, options: LoadOptions): Promise<LanguageModel> {
  const { provider, modelId } = await loadProvider(text, options)
  const create = functionOf(provider, 'languageModel') ?? functionOf(provider, 'chatModel') ?? provider
  const model: unknown = typeof create === 'function' ? create(modelId) : undefined
  if (isLanguageModel(model)) return model
  throw missing(text, 'it provides no language model for version 6 or 7 of the AI SDK; update it')
}

/** The same for an embedding model. */
export async function loadEmbeddingModel(text: string, options: LoadOptions): Promise<EmbeddingModel> {
  const { provider, modelId } = await loadProvider(text, options)
  const create = functionOf(provider, 'embeddingModel') ?? functionOf(provider, 'textEmbeddingModel')
  const model = create?.(modelId)
  if (isEmbeddingModel(model)) return model
  throw missing(text, 'it provides no embedding models')
}

async function loadProvider(text: string, options: LoadOptions) {
  const spec = parseModelSpec(text)
  if (spec.kind === 'openai-compatible') {
    const module = await importFrom('@ai-sdk/openai-compatible', options.folder)
    const create = functionOf(module, 'createOpenAICompatible')
    if (!create) throw missing('@ai-sdk/openai-compatible', 'it exports no createOpenAICompatible')
    const provider = create({
      name: 'openai-compatible',
      baseURL: spec.baseURL,
      ...(options.apiKey && { apiKey: options.apiKey }),
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch: boundedFetch(options.maxBytes),
    })
    return { provider: provider as Provider, modelId: spec.modelId }
  }
  const module = await importFrom(spec.packageName, options.folder)
  const name = camelCase(spec.packageName.split('/').at(-1) ?? '')
  const provider = functionOf(module, name) ?? functionOf(module, 'default')
  if (!provider) throw missing(spec.packageName, `it exports no provider called "${name}" and none by default`)
  return { provider, modelId: spec.modelId }
}

async function importFrom(packageName: string, folder: string): Promise<Provider> {
  try {
    return (await import(pathToFileURL(resolveFrom(packageName, folder)).href)) as Provider
  } catch (cause) {
    const [reason] = messageOf(cause, 300).split('\n')
    throw missing(packageName, `${reason}; run npm install ${packageName} in the application`)
  }
}

/** The path of a package in the application, or else beside this one, where a global command has its packages. */
function resolveFrom(packageName: string, folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(packageName)
  } catch {
    return createRequire(import.meta.url).resolve(packageName)
  }
}

function functionOf(provider: Provider, name: string): ((...args: unknown[]) => unknown) | undefined {
  const value: unknown = Reflect.get(provider, name)
  return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(provider) : undefined
}

function camelCase(name: string): string {
  return name.replace(/[-._]+(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function missing(what: string, reason: string): Error {
  return modelsError('PROVIDER_MISSING', `The provider of ${JSON.stringify(what)} cannot be used: ${reason}.`)
}
