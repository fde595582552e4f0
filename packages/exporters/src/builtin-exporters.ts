import type { RenderOptions } from '@minions/prompts'
import { diagramOf } from './diagram/diagram-of.js'
import { toDot } from './diagram/dot.js'
import { toMermaid } from './diagram/mermaid.js'
import { aiSdk } from './exchange/ai-sdk.js'
import { anthropic } from './exchange/anthropic.js'
import { dotprompt } from './exchange/dotprompt.js'
import { asExporter } from './exchange/exchange-format.js'
import { langfuse } from './exchange/langfuse.js'
import { openai } from './exchange/openai.js'
import { promptfoo } from './exchange/promptfoo.js'
import type { Exporter } from './exporter.js'
import { PromptExporter } from './prompt-exporter.js'

/** The built-in formats. */
export const builtinExporters: readonly Exporter[] = [
  {
    format: 'raw',
    export: (_, { minions, prompts, reference, options: { variables, ...options } }) =>
      new PromptExporter(minions, prompts).toRaw(
        reference,
        (variables ?? {}) as Record<string, unknown>,
        options as RenderOptions,
      ),
  },
  {
    format: 'langchain',
    export: (_, { minions, prompts, reference }) => new PromptExporter(minions, prompts).toLangChain(reference),
  },
  {
    format: 'llamaindex',
    export: (_, { minions, prompts, reference }) => new PromptExporter(minions, prompts).toLlamaIndex(reference),
  },
  { format: 'json', export: ({ id }, { minions, prompts }) => new PromptExporter(minions, prompts).toJSON(id) },
  ...[openai, anthropic, aiSdk, promptfoo, langfuse, dotprompt].map(asExporter),
  { format: 'mermaid', export: async ({ id }, { minions }) => toMermaid(await diagramOf(minions, { chain: id })) },
  { format: 'dot', export: async ({ id }, { minions }) => toDot(await diagramOf(minions, { chain: id })) },
]
