import { asPage, defineOperation, pageInput, pageOf, tokens } from '@minions/core'
import { Type } from 'typebox'
import { isTemplate } from '../chain/prompt-minion.js'
import { LintProblemSchema } from '../lint/lint-prompt.js'
import { promptsRef } from '../ref.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { AssignedId, attributes, Content, closed, examplePrompt, PromptName, Variables, VersionName } from './inputs.js'
import { allWithPublished, PublishedPromptSchema, withPublished } from './outputs.js'

const deps = { prompts: promptsRef }
const given = [examplePrompt]

const Title = Type.String({ minLength: 1, description: 'What it is called.', examples: ['Greeting'] })

export const create = defineOperation({
  name: 'prompts.create',
  summary: 'Create a prompt',
  access: 'write',
  input: Type.Object({ title: Title, content: Content, ...attributes, id: AssignedId }, closed),
  output: PublishedPromptSchema,
  examples: [{ title: 'A greeting', input: { title: 'Greeting', content: 'Hello {{name}}!' } }],
  deps,
  run: async (input, { prompts }, { by }) => withPublished(prompts, await prompts.create(input, { by })),
})

export const get = defineOperation({
  name: 'prompts.get',
  summary: 'Get a prompt as it is published, or a version',
  access: 'read',
  input: Type.Object({ prompt: PromptName, version: Type.Optional(VersionName) }, closed),
  output: PublishedPromptSchema,
  examples: [
    { title: 'By title', given, input: { prompt: 'Greeting' } },
    { title: 'As it was at first', given, input: { prompt: 'greeting', version: 0 } },
  ],
  deps,
  run: async ({ prompt, version }, { prompts }) =>
    withPublished(prompts, await prompts.get(await prompts.resolve(prompt, version))),
})

export const list = defineOperation({
  name: 'prompts.list',
  summary: 'List prompts, each with the version that is published',
  access: 'read',
  input: Type.Object(
    {
      tags: Type.Optional(
        Type.Array(Type.String(), { description: 'Tags that it must all have.', examples: [['crm']] }),
      ),
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(PublishedPromptSchema),
  examples: [{ title: 'Prompts with a tag', given, input: { tags: ['crm'] } }],
  deps: { ...deps, client: tokens.client },
  async run(query, { prompts, client }) {
    const page = await client.find({ type: promptTemplateType.id, ...query })
    return asPage({ ...page, items: await allWithPublished(prompts, page.items.filter(isTemplate)) })
  },
})

export const update = defineOperation({
  name: 'prompts.update',
  summary: 'Change the title, description or tags of a prompt or version',
  description: 'What is left out stays; null clears. The content changes by versions only: see prompts.addVersion.',
  access: 'write',
  input: Type.Object({ prompt: PromptName, title: Type.Optional(Title), ...attributes }, closed),
  output: PublishedPromptSchema,
  examples: [{ title: 'Another title', given, input: { prompt: 'Greeting', title: 'Welcome' } }],
  deps,
  run: async ({ prompt, ...patch }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.update(await prompts.resolve(prompt), patch, { by })),
})

export const render = defineOperation({
  name: 'prompts.render',
  summary: 'Render a prompt with variables',
  access: 'read',
  input: Type.Object(
    {
      prompt: PromptName,
      version: Type.Optional(VersionName),
      variables: Type.Optional(Variables),
      strict: Type.Optional(
        Type.Boolean({
          description: 'Refuse placeholders without a value; otherwise they stay as written. True unless given.',
          examples: [false],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({
    id: Type.String({ description: 'Id of the prompt or version that was rendered.' }),
    text: Type.String(),
  }),
  examples: [
    { title: 'With a variable', given, input: { prompt: 'Greeting', variables: { name: 'Ada' } } },
    { title: 'With a placeholder that stays', given, input: { prompt: 'Greeting', strict: false } },
  ],
  deps,
  async run({ prompt, version, variables, strict = true }, { prompts }) {
    const reference = await prompts.resolve(prompt, version)
    const { id } = await prompts.get(reference)
    return { id, text: await prompts.render(reference, variables, { strict }) }
  },
})

export const lint = defineOperation({
  name: 'prompts.lint',
  summary: 'Look for what is likely to go wrong with a prompt',
  access: 'read',
  input: Type.Object({ prompt: PromptName }, closed),
  output: Type.Array(LintProblemSchema),
  examples: [{ title: 'A prompt without tests', given, input: { prompt: 'Greeting' } }],
  deps,
  run: async ({ prompt }, { prompts }) => prompts.lint(await prompts.resolve(prompt)),
})
