import { coreError } from '@minions/core'
import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { DiffResultSchema } from '../diff/diff-result.js'
import { promptsRef } from '../ref.js'
import { bodyOf } from '../versions/prompt-input.js'
import {
  AssignedId,
  attributes,
  body,
  closed,
  examplePrompt,
  exampleVersions,
  PromptName,
  Version,
  VersionName,
} from './inputs.js'
import { asVersion, asVersions, PublishedPromptSchema, VersionSchema, withPublished } from './outputs.js'

const deps = { prompts: promptsRef }
const given = exampleVersions

export const addVersion = defineOperation({
  name: 'prompts.addVersion',
  summary: 'Add a version to a prompt; the published version stays as it is',
  description: 'Given a prompt, it follows the latest version; given a version, that one.',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      prompt: PromptName,
      ...body,
      changelog: Type.Optional(Type.String({ description: 'Description of the change.', examples: ['More formal'] })),
      title: Type.Optional(
        Type.String({
          minLength: 1,
          description: 'Its title; default: that of the prompt.',
          examples: ['Greeting'],
        }),
      ),
      ...attributes,
      id: AssignedId,
    },
    closed,
  ),
  output: PublishedPromptSchema,
  examples: [{ title: 'A more formal greeting', given: [examplePrompt], input: exampleVersions[1][1] }],
  deps,
  run: async ({ prompt, content, messages, ...input }, { prompts }, { by }) => {
    const version = { ...input, ...bodyOf({ content, messages }) }
    return withPublished(prompts, await prompts.addVersion(await prompts.resolve(prompt), version, { by }))
  },
})

const publication = {
  access: 'approve',
  input: Type.Object({ prompt: PromptName, version: Type.Optional(VersionName) }, closed),
  output: PublishedPromptSchema,
  deps,
} as const

export const publish = defineOperation({
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

export const rollback = defineOperation({
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

const reading = { access: 'read', input: Type.Object({ prompt: PromptName }, closed), deps } as const

export const history = defineOperation({
  ...reading,
  name: 'prompts.history',
  summary: 'List all versions of a prompt, oldest first, and which of them is published',
  output: Type.Array(VersionSchema),
  examples: [{ title: 'A prompt and its version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersions(prompts, await prompts.history(await prompts.resolve(prompt))),
})

export const branches = defineOperation({
  ...reading,
  name: 'prompts.branches',
  summary: 'List the last version of each branch of a prompt, oldest first',
  output: Type.Array(VersionSchema),
  examples: [{ title: 'The only branch', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersions(prompts, await prompts.branches(await prompts.resolve(prompt))),
})

export const latest = defineOperation({
  ...reading,
  name: 'prompts.latest',
  summary: 'Get the latest version of a prompt, published or not',
  output: VersionSchema,
  examples: [{ title: 'The latest version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersion(prompts, await prompts.latest(await prompts.resolve(prompt))),
})

export const published = defineOperation({
  ...reading,
  name: 'prompts.published',
  summary: 'Get the version of a prompt that is published',
  output: VersionSchema,
  examples: [{ title: 'The published version', given, input: { prompt: 'Greeting' } }],
  run: async ({ prompt }, { prompts }) => asVersion(prompts, await prompts.published(await prompts.resolve(prompt))),
})

export const versionAt = defineOperation({
  name: 'prompts.versionAt',
  summary: 'Get the version of a prompt that was the latest at a time',
  access: 'read',
  input: Type.Object(
    {
      prompt: PromptName,
      date: Type.String({
        description: 'A date, or a date and time with offset.',
        examples: ['2030-01-31T12:00:00Z'],
      }),
    },
    closed,
  ),
  output: VersionSchema,
  examples: [{ title: 'In a far future', given, input: { prompt: 'Greeting', date: '9999-01-01' } }],
  deps,
  async run({ prompt, date }, { prompts }) {
    const version = await prompts.versionAt(await prompts.resolve(prompt), date)
    if (version) return asVersion(prompts, version)
    throw coreError('NOT_FOUND', `"${prompt}" did not exist at ${date}.`, { details: { prompt, date } })
  },
})

export const diff = defineOperation({
  name: 'prompts.diff',
  summary: 'Show what changed from one version of a prompt to another',
  description: 'Two prompts can be compared too: what is not a version of the prompt is the id or title of another.',
  access: 'read',
  input: Type.Object(
    {
      prompt: PromptName,
      from: Type.Optional(Version('Number or id of a version; default: the one before `to`.', 0)),
      to: Type.Optional(Version('Number or id of a version; default: the latest.', 1)),
    },
    closed,
  ),
  output: DiffResultSchema,
  examples: [
    { title: 'The latest change', given, input: { prompt: 'Greeting' } },
    { title: 'From one version to another', given, input: { prompt: 'Greeting', from: 0, to: 1 } },
  ],
  deps,
  run: ({ prompt, ...ends }, { prompts }) => prompts.changes(prompt, ends),
})
