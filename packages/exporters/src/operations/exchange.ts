import { defineOperation, type JsonObject } from '@minions/core'
import { PublishedPromptSchema, promptsRef, withPublished } from '@minions/prompts'
import { Type } from 'typebox'
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
          description: 'Number or id of a version; the prompt as it is published unless given.',
          examples: [0],
        }),
      ),
      format: Type.String({
        default: 'json',
        description: 'json, raw, langchain, llamaindex, mermaid, dot, or a format of a plugin.',
        examples: ['langchain'],
      }),
      variables: Type.Optional(
        Type.Unsafe<JsonObject>({
          type: 'object',
          description: 'Values by variable name, for formats that render.',
          examples: [{ name: 'Ada' }],
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
  async run({ prompt, version, format, variables = {} }, { exporters, prompts }) {
    const exported = await exporters.export(format, await prompts.resolve(prompt, version), { variables })
    return typeof exported === 'string' ? { format, text: exported } : exported
  },
})

export const importPrompt = defineOperation({
  name: 'prompts.import',
  summary: 'Import what prompts.export gave as json, whole or not at all',
  access: 'write',
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
