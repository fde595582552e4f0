import { coreError } from '@minions/core'
import type { AuditNote } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import { lastNumber, toTimestamp } from './audit-log.js'
import { auditCollection } from './entry.js'

/** Maximum number of retries when another process takes the next number. */
const MAX_TRIES = 100

/** Writes a decision or a refusal into the log. */
export async function recordNote(store: StoreAccess, { id, kind, at, by, code, message }: AuditNote): Promise<void> {
  const entry = {
    minionId: id,
    kind,
    at: toTimestamp(at),
    ...(by !== undefined && { by }),
    changes: [],
    ...(code !== undefined && { code }),
    message,
  }
  for (let tries = 1; ; tries++) {
    const number = 1 + (await lastNumber(store, id))
    try {
      await store.put(auditCollection, { ...entry, number }, { ifAbsent: true })
      return
    } catch (error) {
      if (!coreError.is(error, 'CONFLICT') || tries === MAX_TRIES) throw error
    }
  }
}
