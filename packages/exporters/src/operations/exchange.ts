import { operationsWith, property } from '@minions/core/operations'
import { PublishedPromptSchema, promptsRef, withPublished } from '@minions/prompts'
import { Type } from 'typebox'
import type { Loss } from '../exchange/portable-prompt.js'
import { PromptDocumentSchema } from '../json/prompt-document.js'
import { exportersRef } from '../ref.js'
import { exampleDocument, given, PromptName } from './inputs.js'

const operation = operationsWith({ exporters: exportersRef, prompts: promptsRef })

export const exportPrompt = operation({
  name: 'prompts.export',
  summary: 'Export a prompt to another format',
  access: 'read',
  input: {
    prompt: PromptName,
    version: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Integer({ minimum: 0 })], {
        description: 'Number or id of a version; default: the published prompt.',
        examples: [0],
      }),
    ),
    format: Type.String({
      default: 'json',
      description:
        'json, raw, openai, anthropic, ai-sdk, promptfoo, langfuse, dotprompt, langchain, llamaindex, mermaid, dot, or a format of a plugin.',
      examples: ['langchain'],
    }),
    variables: Type.Optional(property.record('Values by variable name, for formats that render.', { name: 'Ada' })),
    lossy: property.flag('Return what the format can hold as `document`, and list in `lost` what it cannot.'),
  },
  output: Type.Unknown({
    description: 'The export itself where the format is JSON, otherwise an object with `format` and `text`.',
  }),
  examples: [
    { title: 'With everything that belongs to it', given, input: { prompt: 'Greeting', format: 'json' } },
    { title: 'As text', given, input: { prompt: 'Greeting', format: 'raw', variables: { name: 'Ada' } } },
  ],
  async run({ prompt, version, format, variables = {}, lossy = false }, { exporters, prompts }) {
    const lost: Loss[] = []
    const onLoss = (losses: readonly Loss[]) => lost.push(...losses)
    const options = { variables, ...(lossy && { onLoss }) }
    const exported = await exporters.export(format, await prompts.resolve(prompt, version), options)
    if (lossy) return { document: exported, lost }
    return typeof exported === 'string' ? { format, text: exported } : exported
  },
})

export const importPrompt = operation({
  name: 'prompts.import',
  summary: 'Import a json export of prompts.export, all or nothing',
  access: 'write',
  atomic: true,
  input: {
    document: Type.Object(PromptDocumentSchema.properties, {
      description: 'A prompt with its versions, variables, tests, results and relations.',
      examples: [exampleDocument],
    }),
  },
  output: PublishedPromptSchema,
  examples: [{ title: 'A prompt without versions', input: { document: exampleDocument } }],
  run: async ({ document }, { exporters, prompts }) => withPublished(prompts, await exporters.importJSON(document)),
})

export const importFrom = operation({
  name: 'prompts.importFrom',
  summary: 'Create a prompt from a document of another format, with its variables and tests',
  access: 'write',
  atomic: true,
  input: {
    format: property.text(
      'openai, anthropic, ai-sdk, promptfoo, langfuse, dotprompt, or a format of a plugin.',
      'openai',
    ),
    document: Type.Unknown({
      description: 'The document, as an object or as text.',
      examples: [{ model: 'large-3', messages: [{ role: 'user', content: 'Hi {{name}}' }] }],
    }),
    name: Type.Optional(property.text('Name of the new prompt.', 'support-bot')),
    title: Type.Optional(property.text('Its title.', 'Support', { minLength: 1 })),
    lossy: property.flag('Keep what a prompt can hold, and list in `lost` what it cannot.'),
  },
  output: Type.Object({
    prompt: PublishedPromptSchema,
    lost: Type.Array(Type.Object({ part: Type.String(), why: Type.String(), breaking: Type.Boolean() })),
  }),
  examples: [
    {
      title: 'Messages of OpenAI',
      input: { format: 'openai', title: 'Support', document: { messages: [{ role: 'user', content: 'Hi {{name}}' }] } },
    },
  ],
  async run({ format, document, name, title, lossy = false }, { exporters, prompts }, { by }) {
    const lost: Loss[] = []
    const onLoss = (losses: readonly Loss[]) => lost.push(...losses)
    const created = await exporters.import(format, document, { by, name, title, ...(lossy && { onLoss }) })
    return { prompt: await withPublished(prompts, created), lost }
  },
})
