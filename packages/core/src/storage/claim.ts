import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import type { Revised } from './access.js'
import type { ClaimChange, QueryPlan, StorageTransaction, StoredRecord } from './backend.js'
import type { Collection } from './collection.js'
import { newRevision } from './revision.js'

/** The writes that replace claimed records. Throws `VALIDATION_FAILED` for one with another key. */
export function claimChange<T>(collection: Collection<T>, change: (record: T) => T): ClaimChange {
  if (typeof change !== 'function') throw coreError('VALIDATION_FAILED', '`change` of a claim must be a function.')
  return ({ key, revision, record }) => {
    const write = replaced(collection, change(record as T), revision)
    if (write.key === key) return write
    throw coreError('VALIDATION_FAILED', `A claim of "${key}" in "${collection.name}" cannot change its key.`, {
      details: { collection: collection.name, key },
    })
  }
}

/** Claims in a transaction, for backends without the capability: claimers then wait for each other. */
export async function claimInTransaction(
  tx: StorageTransaction,
  collection: string,
  plan: QueryPlan,
  change: ClaimChange,
): Promise<StoredRecord[]> {
  const writes = (await tx.query(collection, plan)).map(change)
  if (writes.length > 0) await tx.put(collection, writes)
  return writes
}

/** The claimed records in their new state. */
export function claimed<T>(stored: readonly StoredRecord[]): Revised<T>[] {
  return stored.map(({ record, revision }) => ({ record: record as T, revision }))
}

const replaced = guarded('A claim', (collection: Collection, record: unknown, revision: string) =>
  collection.toWrite(record, newRevision(), revision),
)
