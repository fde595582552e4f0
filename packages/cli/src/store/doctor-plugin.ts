import { defineOperation, operations, property } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { isStore } from '@minions/core/storage'
import { Type } from 'typebox'
import manifest from '../../package.json' with { type: 'json' }
import { cliError } from '../errors.js'
import { diagnoseStore, FINDING_KINDS, type Finding } from './diagnose.js'

const diagnose = defineOperation({
  name: 'store.diagnose',
  summary: 'Check the store for damage',
  description: 'Reads every record and reports unreadable records, dangling relations and minions without a type.',
  access: 'admin',
  input: strictObject({
    limit: Type.Optional(
      property.whole('Maximum number of findings; the search ends there. 100 by default.', 20, {
        minimum: 1,
        maximum: 10_000,
      }),
    ),
  }),
  output: Type.Object({
    findings: Type.Array(
      Type.Object({
        kind: Type.Enum(FINDING_KINDS),
        where: Type.String({ description: 'The file, collection or workspace it was found in.' }),
        message: Type.String(),
      }),
    ),
    more: Type.Boolean({ description: 'True if the search ended at the limit.' }),
  }),
  examples: [{ title: 'Everything', input: {} }],
  deps: { store: tokens.store },
  async run({ limit = 100 }, { store }, { signal }) {
    if (!isStore(store)) throw cliError('USAGE', 'A store cannot be checked inside a transaction.')
    const findings: Finding[] = []
    for await (const { kind, where, message } of diagnoseStore(store)) {
      signal.throwIfAborted()
      if (findings.length === limit) return { findings, more: true }
      findings.push({ kind, where, message })
    }
    return { findings, more: false }
  },
})

/** `minions doctor` as an operation, for pages and programs. */
export const doctor = () =>
  definePlugin({
    ref: pluginRef()('@minions/cli', 'doctor'),
    version: manifest.version,
    contributes: [[operations, [diagnose]]],
    setup: () => ({}),
  })
