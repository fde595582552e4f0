import { modelsError } from '../errors.js'

/** A model as a string names it. */
export type ModelSpec =
  | { readonly kind: 'openai-compatible'; readonly baseURL: string; readonly modelId: string }
  | { readonly kind: 'package'; readonly packageName: string; readonly modelId: string }

const COMPATIBLE = 'openai-compatible:'
const PACKAGE = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/**
 * Parses a string that names a model: `openai-compatible:http://127.0.0.1:11434/v1#llama3`, or `<package>#<model>`
 * where a name without a scope stands for `@ai-sdk/<name>`. Throws `MODEL_SPEC_INVALID`, without repeating what may be
 * a key.
 */
export function parseModelSpec(text: string): ModelSpec {
  if (typeof text !== 'string') throw invalid('it is not a string')
  const hash = text.indexOf('#')
  const modelId = hash < 0 ? '' : text.slice(hash + 1).trim()
  if (modelId === '') throw invalid('the name of the model is missing after "#"')
  const source = text.slice(0, hash).trim()
  if (source.startsWith(COMPATIBLE)) {
    return { kind: 'openai-compatible', baseURL: baseUrl(source.slice(COMPATIBLE.length)), modelId }
  }
  if (!PACKAGE.test(source)) throw invalid('the part before "#" is not the name of a package')
  return { kind: 'package', packageName: source.startsWith('@') ? source : `@ai-sdk/${source}`, modelId }
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid('the address must begin with http:// or https://')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '') {
    throw invalid('the address contains a user, password or query; pass a key as MINIONS_MODEL_API_KEY')
  }
  return url.href.replace(/\/+$/, '')
}

function invalid(reason: string): Error {
  return modelsError(
    'MODEL_SPEC_INVALID',
    `The string does not name a model: ${reason}. Write "openai-compatible:http://127.0.0.1:11434/v1#llama3" or "openai#gpt-5".`,
  )
}
