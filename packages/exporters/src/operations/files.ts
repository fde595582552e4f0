import { defineOperation } from '@minions/core/operations'
import { DiffResultSchema } from '@minions/prompts'
import { Type } from 'typebox'
import { exportersRef } from '../ref.js'
import { closed, given } from './inputs.js'

const deps = { exporters: exportersRef }

const Files = Type.Array(Type.Object({ path: Type.String({ minLength: 1 }), text: Type.String() }, closed), {
  description: 'Markdown files with front matter, paths relative to their folder.',
  examples: [[{ path: 'letter.md', text: '---\ntitle: Letter\n---\nDear {{name}}\n' }]],
})

const output = Type.Array(
  Type.Object({
    path: Type.String(),
    name: Type.String(),
    change: Type.Enum(['created', 'changed', 'unchanged', 'behind', 'edited']),
    diff: DiffResultSchema,
    text: Type.Optional(Type.String({ description: 'The new content of the file; absent if it is unchanged.' })),
    version: Type.Union([Type.Number(), Type.Null()]),
  }),
)

export const pullFiles = defineOperation({
  name: 'prompts.pullFiles',
  summary: 'Get the latest versions of all prompts as Markdown files',
  access: 'read',
  input: Type.Object({ files: Type.Optional(Files) }, closed),
  output,
  examples: [{ title: 'Into an empty folder', given, input: {} }],
  deps,
  run: ({ files }, { exporters }) => exporters.pull(files),
})

export const pushFiles = defineOperation({
  name: 'prompts.pushFiles',
  summary: 'Create prompts and versions from new or edited Markdown files, all or none',
  access: 'write',
  atomic: true,
  input: Type.Object(
    {
      files: Files,
      dryRun: Type.Optional(Type.Boolean({ description: 'Only report what would be done.', examples: [true] })),
      changelog: Type.Optional(Type.String({ description: 'Description of the new versions.', examples: ['Kinder'] })),
    },
    closed,
  ),
  output,
  examples: [
    {
      title: 'A new prompt',
      input: { files: [{ path: 'letter.md', text: '---\ntitle: Letter\n---\nDear {{name}}\n' }] },
    },
  ],
  deps,
  run: ({ files, ...options }, { exporters }, { by }) => exporters.push(files, { ...options, by }),
})
