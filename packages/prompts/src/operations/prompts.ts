import { asPage, defineOperation, pageInput, pageOf } from '@minions/core/operations'
import { Type } from 'typebox'
import { FragmentUserSchema } from '../fragments/fragment-users.js'
import { PRODUCTION } from '../labels/label-name.js'
import { LintProblemSchema } from '../lint/lint-prompt.js'
import { MAX_PROMPT_NAME, PROMPT_NAME_PATTERN } from '../names/prompt-name.js'
import { promptsRef } from '../ref.js'
import { bodyOf } from '../versions/prompt-input.js'
import {
  AssignedId,
  attributes,
  body,
  closed,
  examplePrompt,
  LabelName,
  PromptName,
  RequestKey,
  Variables,
  VersionName,
} from './inputs.js'
import { allWithPublished, PublishedPromptSchema, withPublished } from './outputs.js'

const deps = { prompts: promptsRef }
const given = [examplePrompt]

const Title = Type.String({ minLength: 1, description: 'Title.', examples: ['Greeting'] })

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_PROMPT_NAME,
  pattern: PROMPT_NAME_PATTERN,
  description: 'A unique name: lower-case letters and digits, with . _ / or - between them.',
  examples: ['support-bot'],
})

export const create = defineOperation({
  name: 'prompts.create',
  summary: 'Create a prompt',
  access: 'write',
  atomic: true,
  input: Type.Object({ title: Title, ...body, name: Type.Optional(Name), ...attributes, id: AssignedId }, closed),
  output: PublishedPromptSchema,
  examples: [
    { title: 'A greeting', input: { title: 'Greeting', content: 'Hello {{name}}!' } },
    {
      title: 'A chat prompt',
      input: {
        title: 'Support',
        messages: [
          { role: 'system', content: 'Be kind to {{name}}.' },
          { placeholder: 'history', optional: true },
        ],
      },
    },
    { title: 'With a name', input: { title: 'Greeting', name: 'crm/greeting', content: 'Hello {{name}}!' } },
  ],
  deps,
  run: async ({ content, messages, ...input }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.create({ ...input, ...bodyOf({ content, messages }) }, { by })),
})

export const get = defineOperation({
  name: 'prompts.get',
  summary: 'Get a prompt as it is published, or a version',
  access: 'read',
  input: Type.Object({ prompt: PromptName, version: Type.Optional(VersionName) }, closed),
  output: PublishedPromptSchema,
  examples: [
    { title: 'By title', given, input: { prompt: 'Greeting' } },
    { title: 'The original state', given, input: { prompt: 'greeting', version: 0 } },
  ],
  deps,
  run: async ({ prompt, version }, { prompts }) =>
    withPublished(prompts, await prompts.get(await prompts.resolve(prompt, version))),
})

export const list = defineOperation({
  name: 'prompts.list',
  summary: 'List prompts, each with its published version',
  access: 'read',
  input: Type.Object(
    {
      tags: Type.Optional(
        Type.Array(Type.String(), { description: 'Tags that a prompt must have, all of them.', examples: [['crm']] }),
      ),
      text: Type.Optional(
        Type.String({ description: 'Words that must all occur, as prefixes of words.', examples: ['greet'] }),
      ),
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(PublishedPromptSchema),
  examples: [{ title: 'Prompts with a tag', given, input: { tags: ['crm'] } }],
  deps,
  async run(query, { prompts }) {
    const page = await prompts.list(query)
    return asPage({ ...page, items: await allWithPublished(prompts, page.items) })
  },
})

export const rename = defineOperation({
  name: 'prompts.rename',
  summary: 'Give a prompt another name; the old one still refers to it',
  access: 'write',
  atomic: true,
  input: Type.Object({ prompt: PromptName, name: Name }, closed),
  output: PublishedPromptSchema,
  examples: [{ title: 'Another name', given, input: { prompt: 'greeting', name: 'crm/greeting' } }],
  deps,
  run: async ({ prompt, name }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.rename(await prompts.resolve(prompt), name, { by })),
})

export const update = defineOperation({
  name: 'prompts.update',
  summary: 'Change the title, description or tags of a prompt or version',
  description:
    'Omitted properties stay; null clears. The content changes only through versions: see prompts.addVersion.',
  access: 'write',
  atomic: true,
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
      label: Type.Optional(LabelName),
      key: Type.Optional(RequestKey),
      variables: Type.Optional(Variables),
      strict: Type.Optional(
        Type.Boolean({
          description: 'Refuse placeholders without a value; otherwise they are kept as written. Default true.',
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
    { title: 'With a placeholder that is kept', given, input: { prompt: 'Greeting', strict: false } },
  ],
  deps,
  async run({ prompt, version, label, key, variables, strict = true }, { prompts }) {
    const reference = await prompts.resolve(prompt, version)
    const isLabelled = typeof reference === 'string' && (label !== undefined || key !== undefined)
    const { id } = isLabelled
      ? await prompts.labels.resolve(reference, label ?? PRODUCTION, key)
      : await prompts.get(reference)
    return { id, text: await prompts.render(reference, variables, { strict, label, key }) }
  },
})

export const renderMessages = defineOperation({
  name: 'prompts.renderMessages',
  summary: 'Render a prompt as messages for a model',
  description: 'A text prompt becomes one user message.',
  access: 'read',
  input: render.input,
  output: Type.Object({
    id: Type.String({ description: 'Id of the prompt or version that was rendered.' }),
    messages: Type.Array(Type.Object({ role: Type.String(), content: Type.Unknown() })),
    settings: Type.Optional(body.settings),
    responseSchema: Type.Optional(body.responseSchema),
  }),
  examples: [{ title: 'A text', given, input: { prompt: 'Greeting', variables: { name: 'Ada' } } }],
  deps,
  async run({ prompt, version, label, key, variables, strict = true }, { prompts }) {
    const reference = await prompts.resolve(prompt, version)
    const isLabelled = typeof reference === 'string' && (label !== undefined || key !== undefined)
    const { id, fields } = isLabelled
      ? await prompts.labels.resolve(reference, label ?? PRODUCTION, key)
      : await prompts.get(reference)
    const messages = await prompts.renderMessages(reference, variables, { strict, label, key })
    const { settings, responseSchema } = fields
    return { id, messages, ...(settings && { settings }), ...(responseSchema && { responseSchema }) }
  },
})

export const usedBy = defineOperation({
  name: 'prompts.usedBy',
  summary: 'List the prompts and versions that include a prompt as a fragment',
  access: 'read',
  input: Type.Object({ prompt: PromptName }, closed),
  output: Type.Array(FragmentUserSchema),
  examples: [
    {
      title: 'A greeting that others include',
      given: [examplePrompt, ['prompts.create', { title: 'Letter', content: '{{> greeting}} Bye.' }]],
      input: { prompt: 'Greeting' },
    },
  ],
  deps,
  run: async ({ prompt }, { prompts }) => prompts.usedBy(await prompts.resolve(prompt)),
})

export const reindex = defineOperation({
  name: 'prompts.reindex',
  summary: 'Re-read the relations of all prompts after another program has written them',
  access: 'admin',
  input: Type.Object({}, closed),
  output: Type.Object({ done: Type.Boolean() }),
  examples: [{ title: 'All prompts', given, input: {} }],
  deps,
  async run(_, { prompts }) {
    await prompts.reindex()
    return { done: true }
  },
})

export const lint = defineOperation({
  name: 'prompts.lint',
  summary: 'Look for likely problems with a prompt',
  description: 'With `draft`, a text is checked before it is saved. A malformed one fails with TEMPLATE_INVALID.',
  access: 'read',
  input: Type.Object(
    {
      prompt: PromptName,
      draft: Type.Optional(
        Type.String({
          maxLength: 1_000_000,
          description: 'A text that is not saved yet, checked as if it were the next version.',
          examples: ['Dear {{name}},'],
        }),
      ),
    },
    closed,
  ),
  output: Type.Array(LintProblemSchema),
  examples: [
    { title: 'A prompt without tests', given, input: { prompt: 'Greeting' } },
    { title: 'A draft', given, input: { prompt: 'Greeting', draft: 'Dear {{name}},' } },
  ],
  deps,
  run: async ({ prompt, ...options }, { prompts }) => prompts.lint(await prompts.resolve(prompt), options),
})
