import { Type } from 'typebox'
import type { ImportReport } from '../../client/bundle-import.js'
import { coreError } from '../../errors/codes.js'
import { tokens } from '../../plugin/tokens.js'
import { includesAccess } from '../access.js'
import { defineOperation } from '../operation.js'
import { closed } from './inputs.js'

const deps = { client: tokens.client }

/** A bundle without records: its header and its end, each with its checksum. */
const EMPTY_BUNDLE = `{"format":"minions-bundle","sum":"f077fc3781d1b91db3bedd45be780fdd7be09223f9fa0be2199165ed7dc17377","version":1}
{"end":true,"records":0,"sum":"60d073a4955b53be6f1739077327f1f67e90fbc112e69c6d7b66741749766fa3"}
`

export const exportBundle = defineOperation({
  name: 'bundles.export',
  summary: 'Export types, minions and relations as checksummed lines of JSON',
  access: 'read',
  input: Type.Object(
    {
      all: Type.Optional(
        Type.Boolean({
          description: 'Everything in the store, the collections of plugins included; requires admin access.',
          examples: [true],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ bundle: Type.String({ description: 'The lines, one record each.' }) }),
  examples: [{ title: 'Everything', input: { all: true } }],
  deps,
  async run(options, { client }, { signal, grant }) {
    if (options.all && !includesAccess(grant.access ?? 'admin', 'admin')) {
      throw coreError('FORBIDDEN', 'An export of everything requires admin access; leave out `all` without it.')
    }
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
  summary: 'Import a bundle, all or nothing',
  access: 'admin',
  input: Type.Object(
    { bundle: Type.String({ description: 'The lines of an export.', examples: [EMPTY_BUNDLE] }) },
    closed,
  ),
  output: Type.Unsafe<ImportReport>(
    Type.Object({
      added: Type.Record(Type.String(), Type.Integer(), { description: 'Number of records added, by collection.' }),
    }),
  ),
  examples: [{ title: 'A bundle without records', input: { bundle: EMPTY_BUNDLE } }],
  deps,
  run: ({ bundle }, { client }) => client.importBundle(bundle),
})
