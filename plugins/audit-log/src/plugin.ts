import { createRequire } from 'node:module'
import { definePlugin, type Plugin } from '@minions/core'
import { type AuditLog, readAuditLog } from './audit-log.js'
import { auditCollection } from './entry.js'
import { recordChange } from './record-change.js'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Records every change of every minion, in the transaction of the change, and answers `history` and `at`. */
export function auditLog(): Plugin<'auditLog', AuditLog> {
  return definePlugin({
    name: '@minions/audit-log',
    namespace: 'auditLog',
    version,
    collections: [auditCollection],
    onChange: recordChange,
    setup: ({ storage }) => readAuditLog(storage),
    join: (_, { storage }) => readAuditLog(storage),
  })
}
