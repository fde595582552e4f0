import { operationsWith, property } from '@minions/core/operations'
import { strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { FileChangeSchema } from '../files/sync-files.js'
import { exportersRef } from '../ref.js'
import { given } from './inputs.js'

const operation = operationsWith({ exporters: exportersRef })

const Files = property.list(
  strictObject({ path: Type.String({ minLength: 1 }), text: Type.String() }),
  'Markdown files with front matter, paths relative to their folder.',
  { path: 'letter.md', text: '---\ntitle: Letter\n---\nDear {{name}}\n' },
)

const output = Type.Array(FileChangeSchema)

export const pullFiles = operation({
  name: 'prompts.pullFiles',
  summary: 'Get the latest versions of all prompts as Markdown files',
  access: 'read',
  input: { files: Type.Optional(Files) },
  output,
  examples: [{ title: 'Into an empty folder', given, input: {} }],
  run: ({ files }, { exporters }) => exporters.pull(files),
})

export const pushFiles = operation({
  name: 'prompts.pushFiles',
  summary: 'Create prompts and versions from new or edited Markdown files, all or none',
  access: 'write',
  atomic: true,
  input: {
    files: Files,
    dryRun: property.flag('Only report what would be done.'),
    changelog: Type.Optional(property.text('Description of the new versions.', 'Kinder')),
  },
  output,
  examples: [
    {
      title: 'A new prompt',
      input: { files: [{ path: 'letter.md', text: '---\ntitle: Letter\n---\nDear {{name}}\n' }] },
    },
  ],
  run: ({ files, ...options }, { exporters }, { by }) => exporters.push(files, { ...options, by }),
})
