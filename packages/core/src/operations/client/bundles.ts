import { Type } from 'typebox'
import type { ImportReport } from '../../client/bundles/import.js'
import { coreError } from '../../errors/codes.js'
import { includesAccess } from '../access.js'
import { clientOperation } from './client-operation.js'
import { flag, text } from './inputs.js'

/** A bundle without records: its header and its end, each with its checksum. */
const EMPTY_BUNDLE = `{"format":"minions-bundle","sum":"f077fc3781d1b91db3bedd45be780fdd7be09223f9fa0be2199165ed7dc17377","version":1}
{"end":true,"records":0,"sum":"60d073a4955b53be6f1739077327f1f67e90fbc112e69c6d7b66741749766fa3"}
`

export const exportBundle = clientOperation({
  name: 'bundles.export',
  summary: 'Export types, minions and relations as checksummed lines of JSON',
  access: 'read',
  input: {
    all: flag('Everything in the store, the collections of plugins included; requires admin access.'),
  },
  output: Type.Object({ bundle: Type.String({ description: 'The lines, one record each.' }) }),
  examples: [{ title: 'Everything', input: { all: true } }],
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

export const importBundle = clientOperation({
  name: 'bundles.import',
  summary: 'Import a bundle, all or nothing',
  access: 'admin',
  input: { bundle: text('The lines of an export.', EMPTY_BUNDLE) },
  output: Type.Unsafe<ImportReport>(
    Type.Object({
      added: Type.Record(Type.String(), Type.Integer(), { description: 'Number of records added, by collection.' }),
    }),
  ),
  examples: [{ title: 'A bundle without records', input: { bundle: EMPTY_BUNDLE } }],
  run: ({ bundle }, { client }) => client.importBundle(bundle),
})
