import { definePlugin, operations, tokens } from '@minions/core'
import manifest from '../package.json' with { type: 'json' }
import { readAuditLog } from './audit-log.js'
import { auditCollection } from './entry.js'
import { auditOperations } from './operations.js'
import { recordChange } from './record-change.js'
import { auditLogRef } from './ref.js'

/** Records every change of every minion, in the transaction of the change, and answers `history` and `at`. */
export function auditLog() {
  return definePlugin({
    ref: auditLogRef,
    version: manifest.version,
    deps: { store: tokens.store },
    collections: [auditCollection],
    contributes: [[operations, auditOperations]],
    onChange: recordChange,
    setup: ({ store }) => readAuditLog(store),
    join: (_, { store }) => readAuditLog(store),
  })
}
