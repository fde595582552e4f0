import type { EmbeddingModelV4, EmbeddingModelV4Result } from '@ai-sdk/provider'
import { asEmbeddingModel, type EmbeddingModel } from '../provider/language-model.js'
import type { Cassette } from './cassette.js'
import { plain } from './recorded-model.js'

/** An embedding model whose vectors are recorded on a cassette, or come from it. */
export function recordedEmbeddingModel(given: EmbeddingModel, cassette: Cassette): EmbeddingModelV4 {
  const model = asEmbeddingModel(given)
  const { provider, modelId } = model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    async doEmbed(options) {
      const { values, providerOptions } = options
      const request = plain({ provider, modelId, values, providerOptions })
      const known = cassette.find(request)
      if (known !== undefined) return { ...(known as EmbeddingModelV4Result), warnings: [] }
      const { embeddings, usage } = await model.doEmbed(options)
      await cassette.record(request, plain({ embeddings, usage }))
      return { embeddings, ...(usage && { usage }), warnings: [] }
    },
  }
}
