import { toDot, toMermaid } from '@minions/core'
import type { RenderOptions } from '@minions/prompts'
import { diagramOf } from './diagram/diagram-of.js'
import type { Exporter } from './exporter.js'
import { PromptExporter } from './prompt-exporter.js'

/** The formats every registry begins with. */
export const builtinExporters: readonly Exporter[] = [
  {
    format: 'raw',
    export: (_, { minions, reference, options: { variables, ...options } }) =>
      new PromptExporter(minions).toRaw(
        reference,
        (variables ?? {}) as Record<string, unknown>,
        options as RenderOptions,
      ),
  },
  { format: 'langchain', export: (_, { minions, reference }) => new PromptExporter(minions).toLangChain(reference) },
  { format: 'llamaindex', export: (_, { minions, reference }) => new PromptExporter(minions).toLlamaIndex(reference) },
  { format: 'json', export: ({ id }, { minions }) => new PromptExporter(minions).toJSON(id) },
  { format: 'mermaid', export: async ({ id }, { minions }) => toMermaid(await diagramOf(minions, { chain: id })) },
  { format: 'dot', export: async ({ id }, { minions }) => toDot(await diagramOf(minions, { chain: id })) },
]
