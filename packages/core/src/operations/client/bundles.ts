import { Type } from 'typebox'
import type { ImportReport } from '../../client/bundle-import.js'
import { tokens } from '../../plugin/tokens.js'
import { defineOperation } from '../operation.js'
import { closed } from './inputs.js'

const deps = { client: tokens.client }

export const exportBundle = defineOperation({
  name: 'bundles.export',
  summary: 'Export types, minions and relations as checksummed lines of JSON',
  access: 'read',
  input: Type.Object(
    {
      all: Type.Optional(
        Type.Boolean({
          description: 'Everything in the store, the collections of plugins included.',
          examples: [true],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ bundle: Type.String({ description: 'The lines, one record each.' }) }),
  examples: [{ title: 'Everything', input: { all: true } }],
  deps,
  async run(options, { client }, { signal }) {
    const lines: string[] = []
    for await (const line of client.exportBundle(options)) {
      signal.throwIfAborted()
      lines.push(line)
    }
    return { bundle: lines.join('') }
  },
})

export const importBundle = defineOperation({
  name: 'bundles.import',
  summary: 'Import a bundle, whole or not at all',
  access: 'admin',
  input: Type.Object(
    { bundle: Type.String({ description: 'The lines of an export.', examples: ['{"format":"minions-bundle"}'] }) },
    closed,
  ),
  output: Type.Unsafe<ImportReport>(
    Type.Object({
      added: Type.Record(Type.String(), Type.Integer(), { description: 'Records added, by collection.' }),
    }),
  ),
  deps,
  run: ({ bundle }, { client }) => client.importBundle(bundle),
})
