import { messageOf } from '@minions/core'
import type { AuditNote, AuditTrail, Logger } from '@minions/core/plugin'

/** Records something in the audit log of the app, if it has one. */
export type Auditor = (note: AuditNote) => Promise<void>

/** A failure to record does not undo the action; it is logged. */
export function auditor(audit: AuditTrail | undefined, log: Logger): Auditor {
  return async (note) => {
    try {
      await audit?.record(note)
    } catch (error) {
      log.error('the audit log could not be written', { id: note.id, error: messageOf(error) })
    }
  }
}
