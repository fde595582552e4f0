import { type Minion, MinionsError, quote, timestamp } from '@minions/core'
import type { StoreReader } from '@minions/core/storage'
import { type AuditEntry, auditCollection } from './entry.js'

const LONGEST_TIME = 100

/** The history of minions. */
export interface AuditLog {
  /** Everything that happened to a minion, oldest first; empty if nothing is known about it. */
  history(id: string): Promise<AuditEntry[]>
  /** A minion as it was at a point in time; undefined if it did not exist then, or if that is not known. */
  at(id: string, time: string | number | Date): Promise<Minion | undefined>
}

/** The log as a store, or a transaction, has it. */
export function readAuditLog(store: StoreReader): AuditLog {
  return {
    async history(id) {
      const entries: AuditEntry[] = []
      const query = { where: { minionId: id }, orderBy: [{ field: 'number' }] }
      for await (const { record } of store.iterate(auditCollection, query)) entries.push(record)
      return entries
    },
    async at(id, time) {
      const { items } = await store.find(auditCollection, {
        where: { minionId: id, at: { lte: toTimestamp(time) } },
        orderBy: [{ field: 'number', direction: 'desc' }],
        limit: 1,
      })
      return items[0]?.minion as Minion | undefined
    },
  }
}

/** The number of the last entry of a minion; 0 if there is none. */
export async function lastNumber(store: StoreReader, minionId: string): Promise<number> {
  const orderBy = [{ field: 'number', direction: 'desc' as const }]
  const { items } = await store.find(auditCollection, { where: { minionId }, orderBy, limit: 1 })
  return items[0]?.number ?? 0
}

/** Any way to write a time, as the log writes it, so that times compare as text. */
export function toTimestamp(time: string | number | Date): string {
  const millis = millisOf(time)
  if (Number.isNaN(millis))
    throw new MinionsError(
      'VALIDATION_FAILED',
      `${quote(time)} is not a time; use a date, or a date and time with its offset.`,
    )
  return timestamp(millis)
}

function millisOf(time: unknown): number {
  if (typeof time === 'string') return time.length > LONGEST_TIME ? Number.NaN : new Date(time).getTime()
  if (typeof time === 'number') return new Date(time).getTime()
  try {
    return time instanceof Date ? time.getTime() : Number.NaN
  } catch {
    return Number.NaN
  }
}
