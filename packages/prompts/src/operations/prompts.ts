import { asPage, pageInput, pageOf, property } from '@minions/core/operations'
import { Type } from 'typebox'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { FragmentUserSchema } from '../fragments/fragment-users.js'
import { PRODUCTION } from '../labels/label-name.js'
import { LintProblemSchema } from '../lint/lint-prompt.js'
import { MAX_PROMPT_NAME, PROMPT_NAME_PATTERN } from '../names/prompt-name.js'
import type { LabelledRenderOptions, PromptsApi } from '../prompts-api.js'
import { bodyOf } from '../versions/prompt-input.js'
import type { PromptReference } from '../versions/version-reference.js'
import {
  AssignedId,
  attributes,
  body,
  examplePrompt,
  LabelName,
  operation,
  PromptName,
  RequestKey,
  reading,
  Variables,
  VersionName,
} from './inputs.js'
import { allWithPublished, PublishedPromptSchema, withPublished } from './outputs.js'

const given = [examplePrompt]

const Title = property.text('Title.', 'Greeting', { minLength: 1 })

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_PROMPT_NAME,
  pattern: PROMPT_NAME_PATTERN,
  description: 'A unique name: lower-case letters and digits, with . _ / or - between them.',
  examples: ['support-bot'],
})

export const create = operation({
  name: 'prompts.create',
  summary: 'Create a prompt',
  access: 'write',
  atomic: true,
  input: { title: Title, ...body, name: Type.Optional(Name), ...attributes, id: AssignedId },
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
  run: async ({ content, messages, ...input }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.create({ ...input, ...bodyOf({ content, messages }) }, { by })),
})

export const get = operation({
  name: 'prompts.get',
  summary: 'Get a prompt as it is published, or a version',
  access: 'read',
  input: { prompt: PromptName, version: Type.Optional(VersionName) },
  output: PublishedPromptSchema,
  examples: [
    { title: 'By title', given, input: { prompt: 'Greeting' } },
    { title: 'The original state', given, input: { prompt: 'greeting', version: 0 } },
  ],
  run: async ({ prompt, version }, { prompts }) =>
    withPublished(prompts, await prompts.get(await prompts.resolve(prompt, version))),
})

export const list = operation({
  name: 'prompts.list',
  summary: 'List prompts, each with its published version',
  access: 'read',
  input: {
    tags: Type.Optional(property.list(Type.String(), 'Tags that a prompt must have, all of them.', 'crm')),
    text: Type.Optional(property.text('Words that must all occur, as prefixes of words.', 'greet')),
    ...pageInput,
  },
  output: pageOf(PublishedPromptSchema),
  examples: [{ title: 'Prompts with a tag', given, input: { tags: ['crm'] } }],
  async run(query, { prompts }) {
    const page = await prompts.list(query)
    return asPage({ ...page, items: await allWithPublished(prompts, page.items) })
  },
})

export const rename = operation({
  name: 'prompts.rename',
  summary: 'Give a prompt another name; the old one still refers to it',
  access: 'write',
  atomic: true,
  input: { prompt: PromptName, name: Name },
  output: PublishedPromptSchema,
  examples: [{ title: 'Another name', given, input: { prompt: 'greeting', name: 'crm/greeting' } }],
  run: async ({ prompt, name }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.rename(await prompts.resolve(prompt), name, { by })),
})

export const update = operation({
  name: 'prompts.update',
  summary: 'Change the title, description or tags of a prompt or version',
  description:
    'Omitted properties stay; null clears. The content changes only through versions: see prompts.addVersion.',
  access: 'write',
  atomic: true,
  input: { prompt: PromptName, title: Type.Optional(Title), ...attributes },
  output: PublishedPromptSchema,
  examples: [{ title: 'Another title', given, input: { prompt: 'Greeting', title: 'Welcome' } }],
  run: async ({ prompt, ...patch }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.update(await prompts.resolve(prompt), patch, { by })),
})

const rendering = {
  prompt: PromptName,
  version: Type.Optional(VersionName),
  label: Type.Optional(LabelName),
  key: Type.Optional(RequestKey),
  variables: Type.Optional(Variables),
  strict: property.flag(
    'Refuse placeholders without a value; otherwise they are kept as written. Default true.',
    false,
  ),
}

export const render = operation({
  name: 'prompts.render',
  summary: 'Render a prompt with variables',
  access: 'read',
  input: rendering,
  output: Type.Object({
    id: Type.String({ description: 'Id of the prompt or version that was rendered.' }),
    text: Type.String(),
  }),
  examples: [
    { title: 'With a variable', given, input: { prompt: 'Greeting', variables: { name: 'Ada' } } },
    { title: 'With a placeholder that is kept', given, input: { prompt: 'Greeting', strict: false } },
  ],
  async run({ prompt, version, variables, ...options }, { prompts }) {
    const reference = await prompts.resolve(prompt, version)
    const { id } = await rendered(prompts, reference, options)
    return { id, text: await prompts.render(reference, variables, options) }
  },
})

export const renderMessages = operation({
  name: 'prompts.renderMessages',
  summary: 'Render a prompt as messages for a model',
  description: 'A text prompt becomes one user message.',
  access: 'read',
  input: rendering,
  output: Type.Object({
    id: Type.String({ description: 'Id of the prompt or version that was rendered.' }),
    messages: Type.Array(Type.Object({ role: Type.String(), content: Type.Unknown() })),
    settings: Type.Optional(body.settings),
    responseSchema: Type.Optional(body.responseSchema),
  }),
  examples: [{ title: 'A text', given, input: { prompt: 'Greeting', variables: { name: 'Ada' } } }],
  async run({ prompt, version, variables, ...options }, { prompts }) {
    const reference = await prompts.resolve(prompt, version)
    const { id, fields } = await rendered(prompts, reference, options)
    const messages = await prompts.renderMessages(reference, variables, options)
    const { settings, responseSchema } = fields
    return { id, messages, ...(settings && { settings }), ...(responseSchema && { responseSchema }) }
  },
})

export const usedBy = operation({
  name: 'prompts.usedBy',
  summary: 'List the prompts and versions that include a prompt as a fragment',
  ...reading,
  output: Type.Array(FragmentUserSchema),
  examples: [
    {
      title: 'A greeting that others include',
      given: [examplePrompt, ['prompts.create', { title: 'Letter', content: '{{> greeting}} Bye.' }]],
      input: { prompt: 'Greeting' },
    },
  ],
  run: async ({ prompt }, { prompts }) => prompts.usedBy(await prompts.resolve(prompt)),
})

export const reindex = operation({
  name: 'prompts.reindex',
  summary: 'Re-read the relations of all prompts after another program has written them',
  access: 'admin',
  input: {},
  output: Type.Object({ done: Type.Boolean() }),
  examples: [{ title: 'All prompts', given, input: {} }],
  async run(_, { prompts }) {
    await prompts.reindex()
    return { done: true }
  },
})

export const lint = operation({
  name: 'prompts.lint',
  summary: 'Look for likely problems with a prompt',
  description: 'With `draft`, a text is checked before it is saved. A malformed one fails with TEMPLATE_INVALID.',
  access: 'read',
  input: {
    prompt: PromptName,
    draft: Type.Optional(
      property.text('A text that is not saved yet, checked as if it were the next version.', 'Dear {{name}},', {
        maxLength: 1_000_000,
      }),
    ),
  },
  output: Type.Array(LintProblemSchema),
  examples: [
    { title: 'A prompt without tests', given, input: { prompt: 'Greeting' } },
    { title: 'A draft', given, input: { prompt: 'Greeting', draft: 'Dear {{name}},' } },
  ],
  run: async ({ prompt, ...options }, { prompts }) => prompts.lint(await prompts.resolve(prompt), options),
})

/** The prompt or version that is rendered: for a name, what a label stands for if there is one. */
async function rendered(
  prompts: PromptsApi,
  reference: PromptReference,
  { label, key }: LabelledRenderOptions,
): Promise<PromptMinion> {
  const isLabelled = typeof reference === 'string' && (label !== undefined || key !== undefined)
  return isLabelled ? prompts.labels.resolve(reference, label ?? PRODUCTION, key) : prompts.get(reference)
}
