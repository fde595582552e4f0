import { operations } from '@minions/core/operations'
import { type AuditTrail, auditTrail, definePlugin, provide, tokens } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import manifest from '../package.json' with { type: 'json' }
import { type AuditLog, readAuditLog } from './audit-log.js'
import { auditCollection } from './entry.js'
import { auditOperations } from './operations.js'
import { recordChange } from './record-change.js'
import { recordNote } from './record-note.js'
import { auditLogRef } from './ref.js'

/** The store of each log, for recording what is not a change. */
const stores = new WeakMap<AuditLog, StoreAccess>()

function trailOf(log: AuditLog): AuditTrail {
  return {
    async record(note) {
      const store = stores.get(log)
      if (store) await recordNote(store, note)
    },
  }
}

/** Records every change of every minion, in the transaction of the change, and answers `history` and `at`. */
export function auditLog() {
  return definePlugin({
    ref: auditLogRef,
    version: manifest.version,
    deps: { store: tokens.store },
    collections: [auditCollection],
    contributes: [[operations, auditOperations]],
    provides: [provide(auditTrail, trailOf)],
    onChange: recordChange,
    setup({ store }) {
      const log = readAuditLog(store)
      stores.set(log, store)
      return log
    },
    join: (_, { store }) => readAuditLog(store),
  })
}
