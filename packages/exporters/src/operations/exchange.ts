import type { JsonObject } from '@minions/core/json'
import { defineOperation } from '@minions/core/operations'
import { PublishedPromptSchema, promptsRef, withPublished } from '@minions/prompts'
import { Type } from 'typebox'
import type { Loss } from '../exchange/portable-prompt.js'
import { PromptDocumentSchema } from '../json/prompt-document.js'
import { exportersRef } from '../ref.js'
import { closed, exampleDocument, given, PromptName } from './inputs.js'

const deps = { exporters: exportersRef, prompts: promptsRef }

export const exportPrompt = defineOperation({
  name: 'prompts.export',
  summary: 'Export a prompt to another format',
  access: 'read',
  input: Type.Object(
    {
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
      variables: Type.Optional(
        Type.Unsafe<JsonObject>({
          type: 'object',
          description: 'Values by variable name, for formats that render.',
          examples: [{ name: 'Ada' }],
        }),
      ),
      lossy: Type.Optional(
        Type.Boolean({
          description: 'Return what the format can hold as `document`, and list in `lost` what it cannot.',
          examples: [true],
        }),
      ),
    },
    closed,
  ),
  output: Type.Unknown({
    description: 'The export itself where the format is JSON, otherwise an object with `format` and `text`.',
  }),
  examples: [
    { title: 'With everything that belongs to it', given, input: { prompt: 'Greeting', format: 'json' } },
    { title: 'As text', given, input: { prompt: 'Greeting', format: 'raw', variables: { name: 'Ada' } } },
  ],
  deps,
  async run({ prompt, version, format, variables = {}, lossy = false }, { exporters, prompts }) {
    const lost: Loss[] = []
    const onLoss = (losses: readonly Loss[]) => lost.push(...losses)
    const options = { variables, ...(lossy && { onLoss }) }
    const exported = await exporters.export(format, await prompts.resolve(prompt, version), options)
    if (lossy) return { document: exported, lost }
    return typeof exported === 'string' ? { format, text: exported } : exported
  },
})

export const importPrompt = defineOperation({
  name: 'prompts.import',
  summary: 'Import a json export of prompts.export, all or nothing',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      document: Type.Object(PromptDocumentSchema.properties, {
        description: 'A prompt with its versions, variables, tests, results and relations.',
        examples: [exampleDocument],
      }),
    },
    closed,
  ),
  output: PublishedPromptSchema,
  examples: [{ title: 'A prompt without versions', input: { document: exampleDocument } }],
  deps,
  run: async ({ document }, { exporters, prompts }) => withPublished(prompts, await exporters.importJSON(document)),
})

export const importFrom = defineOperation({
  name: 'prompts.importFrom',
  summary: 'Create a prompt from a document of another format, with its variables and tests',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      format: Type.String({
        description: 'openai, anthropic, ai-sdk, promptfoo, langfuse, dotprompt, or a format of a plugin.',
        examples: ['openai'],
      }),
      document: Type.Unknown({
        description: 'The document, as an object or as text.',
        examples: [{ model: 'large-3', messages: [{ role: 'user', content: 'Hi {{name}}' }] }],
      }),
      name: Type.Optional(Type.String({ description: 'Name of the new prompt.', examples: ['support-bot'] })),
      title: Type.Optional(Type.String({ minLength: 1, description: 'Its title.', examples: ['Support'] })),
      lossy: Type.Optional(
        Type.Boolean({
          description: 'Keep what a prompt can hold, and list in `lost` what it cannot.',
          examples: [true],
        }),
      ),
    },
    closed,
  ),
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
  deps,
  async run({ format, document, name, title, lossy = false }, { exporters, prompts }, { by }) {
    const lost: Loss[] = []
    const onLoss = (losses: readonly Loss[]) => lost.push(...losses)
    const created = await exporters.import(format, document, { by, name, title, ...(lossy && { onLoss }) })
    return { prompt: await withPublished(prompts, created), lost }
  },
})
