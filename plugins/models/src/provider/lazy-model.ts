import type { LanguageModelV4 } from '@ai-sdk/provider'
import { asLanguageModel } from './language-model.js'
import { type LoadOptions, loadLanguageModel } from './load-model.js'
import { parseModelSpec } from './model-spec.js'

/**
 * The model that a string names, imported on the first call: an environment variable must not keep an app that calls no
 * model from starting. The string is checked at once.
 */
export function lazyModel(text: string, options: LoadOptions): LanguageModelV4 {
  const spec = parseModelSpec(text)
  let loading: Promise<LanguageModelV4> | undefined
  const load = () => {
    loading ??= loadLanguageModel(text, options).then(asLanguageModel)
    return loading
  }
  return {
    specificationVersion: 'v4',
    provider: spec.kind === 'package' ? (spec.packageName.split('/').at(-1) ?? '') : spec.kind,
    modelId: spec.modelId,
    supportedUrls: {},
    doGenerate: async (call) => (await load()).doGenerate(call),
    doStream: async (call) => (await load()).doStream(call),
  }
}
