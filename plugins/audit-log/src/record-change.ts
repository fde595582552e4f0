import type { MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { lastNumber, toTimestamp } from './audit-log.js'
import { type AuditEntry, auditCollection } from './entry.js'
import { fieldChanges } from './field-changes.js'

/** Writes what happened to a minion into the log, in the transaction in which it happens. */
export async function recordChange(change: MinionChange, tx: StoreTransaction): Promise<void> {
  const { kind, minionId, before, after, at, by } = change
  const last = await lastNumber(tx, minionId)
  const entries: AuditEntry[] = []
  const number = () => last + entries.length + 1
  if (before && last === 0) {
    const known = { at: toTimestamp(before.updatedAt), ...(before.updatedBy !== undefined && { by: before.updatedBy }) }
    entries.push({ minionId, number: number(), kind: 'baseline', ...known, changes: [], minion: before })
  }
  entries.push({
    minionId,
    number: number(),
    kind,
    at: toTimestamp(at),
    ...(by !== undefined && { by }),
    changes: fieldChanges(before, after),
    ...(after && { minion: after }),
  })
  // The numbers ensure that two writers cannot both write the next entry.
  await tx.putMany(auditCollection, entries, { ifAbsent: true })
}
