import type { MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { toTimestamp } from './audit-log.js'
import { type AuditEntry, auditCollection } from './entry.js'
import { fieldChanges } from './field-changes.js'

/** Writes what happened to a minion into the log, in the transaction in which it happens. */
export async function recordChange(change: MinionChange, tx: StoreTransaction): Promise<void> {
  const { kind, minionId, before, after, at, by } = change
  const { items } = await tx.find(auditCollection, {
    where: { minionId },
    orderBy: [{ field: 'number', direction: 'desc' }],
    limit: 1,
  })
  const entries: AuditEntry[] = []
  const number = () => (items[0]?.number ?? 0) + entries.length + 1
  if (before && items.length === 0) {
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
