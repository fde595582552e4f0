import { coreError } from '@minions/core'
import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { DiffResultSchema } from '../diff/diff-result.js'
import { bodyOf } from '../versions/prompt-input.js'
import {
  AssignedId,
  attributes,
  body,
  examplePrompt,
  exampleVersions,
  operation,
  PromptName,
  reading,
  Version,
  VersionName,
} from './inputs.js'
import { asVersion, asVersions, PublishedPromptSchema, VersionSchema, withPublished } from './outputs.js'

const given = exampleVersions

export const addVersion = operation({
  name: 'prompts.addVersion',
  summary: 'Add a version to a prompt; the published version stays as it is',
  description: 'Given a prompt, it follows the latest version; given a version, that one.',
  access: 'write',
  atomic: true,
  input: {
    prompt: PromptName,
    ...body,
    changelog: Type.Optional(property.text('Description of the change.', 'More formal')),
    title: Type.Optional(property.text('Its title; default: that of the prompt.', 'Greeting', { minLength: 1 })),
    ...attributes,
    id: AssignedId,
  },
  output: PublishedPromptSchema,
  examples: [{ title: 'A more formal greeting', given: [examplePrompt], input: exampleVersions[1][1] }],
  run: async ({ prompt, content, messages, ...input }, { prompts }, { by }) => {
    const version = { ...input, ...bodyOf({ content, messages }) }
    return withPublished(prompts, await prompts.addVersion(await prompts.resolve(prompt), version, { by }))
  },
})

const publication = {
  access: 'approve',
  input: { prompt: PromptName, version: Type.Optional(VersionName) },
  output: PublishedPromptSchema,
} as const

export const publish = operation({
  ...publication,
  name: 'prompts.publish',
  summary: 'Make a version the current state of its prompt; default: the latest',
  atomic: true,
  examples: [
    { title: 'The latest version', given, input: { prompt: 'Greeting' } },
    { title: 'A version by number', given, input: { prompt: 'Greeting', version: 1 } },
  ],
  run: async ({ prompt, version }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.publish(await prompts.resolve(prompt, version), { by })),
})

export const rollback = operation({
  ...publication,
  name: 'prompts.rollback',
  summary: 'Publish an older version; default: the one before the published version',
  atomic: true,
  examples: [
    {
      title: 'Back to the original prompt',
      given: [...given, ['prompts.publish', { prompt: 'Greeting' }]],
      input: { prompt: 'Greeting' },
    },
  ],
  run: async ({ prompt, version }, { prompts }, { by }) =>
    withPublished(prompts, await prompts.rollback(await prompts.resolve(prompt, version), { by })),
})

export const history = operation({
  ...reading,
  name: 'prompts.history',
  summary: 'List all versions of a prompt, oldest first, and which of them is published',
  output: Type.Array(VersionSchema),
  examples: [{ title: 'A prompt and its version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersions(prompts, await prompts.history(await prompts.resolve(prompt))),
})

export const branches = operation({
  ...reading,
  name: 'prompts.branches',
  summary: 'List the last version of each branch of a prompt, oldest first',
  output: Type.Array(VersionSchema),
  examples: [{ title: 'The only branch', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersions(prompts, await prompts.branches(await prompts.resolve(prompt))),
})

export const latest = operation({
  ...reading,
  name: 'prompts.latest',
  summary: 'Get the latest version of a prompt, published or not',
  output: VersionSchema,
  examples: [{ title: 'The latest version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersion(prompts, await prompts.latest(await prompts.resolve(prompt))),
})

export const published = operation({
  ...reading,
  name: 'prompts.published',
  summary: 'Get the version of a prompt that is published',
  output: VersionSchema,
  examples: [{ title: 'The published version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersion(prompts, await prompts.published(await prompts.resolve(prompt))),
})

export const versionAt = operation({
  name: 'prompts.versionAt',
  summary: 'Get the version of a prompt that was the latest at a time',
  access: 'read',
  input: {
    prompt: PromptName,
    date: property.text('A date, or a date and time with offset.', '2030-01-31T12:00:00Z'),
  },
  output: VersionSchema,
  examples: [{ title: 'In a far future', given, input: { prompt: 'Greeting', date: '9999-01-01' } }],
  async run({ prompt, date }, { prompts }) {
    const version = await prompts.versionAt(await prompts.resolve(prompt), date)
    if (version) return asVersion(prompts, version)
    throw coreError('NOT_FOUND', `"${prompt}" did not exist at ${date}.`, { details: { prompt, date } })
  },
})

export const diff = operation({
  name: 'prompts.diff',
  summary: 'Show what changed from one version of a prompt to another',
  description: 'Two prompts can be compared too: what is not a version of the prompt is the id or title of another.',
  access: 'read',
  input: {
    prompt: PromptName,
    from: Type.Optional(Version('Number or id of a version; default: the one before `to`.', 0)),
    to: Type.Optional(Version('Number or id of a version; default: the latest.', 1)),
  },
  output: DiffResultSchema,
  examples: [
    { title: 'The latest change', given, input: { prompt: 'Greeting' } },
    { title: 'From one version to another', given, input: { prompt: 'Greeting', from: 0, to: 1 } },
  ],
  run: ({ prompt, ...ends }, { prompts }) => prompts.changes(prompt, ends),
})
