import { messageOf } from '@minions/core'
import type { AuditNote, AuditTrail, Logger } from '@minions/core/plugin'

/** Notes something in the audit log of the app, if it has one. */
export type Auditor = (note: AuditNote) => Promise<void>

/** What is done counts also where it cannot be noted; then the log says so. */
export function auditor(audit: AuditTrail | undefined, log: Logger): Auditor {
  return async (note) => {
    try {
      await audit?.record(note)
    } catch (error) {
      log.error('the audit log could not be written', { id: note.id, error: messageOf(error) })
    }
  }
}
