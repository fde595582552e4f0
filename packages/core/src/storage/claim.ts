import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { takeOptions } from '../errors/take.js'
import type { Change, Revised } from './access.js'
import type { ClaimChange, QueryPlan, StorageTransaction } from './backend.js'
import type { Collection } from './collection.js'
import { planQuery } from './plan-query.js'
import type { CollectionQuery } from './query.js'
import { revised } from './reader.js'
import { newRevision } from './revision.js'

/** What a claim takes, and the writes that replace it. */
interface Claim {
  readonly collection: Collection
  readonly plan: QueryPlan
  readonly change: ClaimChange
}

/** Checks a claim. Its change throws `VALIDATION_FAILED` for a record with another key. */
export function planClaim<T>(collection: Collection<T>, query: CollectionQuery, change: Change<T>): Claim {
  const plan = planQuery(collection, { limit: 1, ...takeOptions('A query', query) })
  if (typeof change !== 'function') throw coreError('VALIDATION_FAILED', '`change` of a claim must be a function.')
  const replace: ClaimChange = ({ key, revision, record }) => {
    const write = replaced(collection, change(record as T), revision)
    if (write.key === key) return write
    throw coreError('VALIDATION_FAILED', `A claim of "${key}" in "${collection.name}" cannot change its key.`, {
      details: { collection: collection.name, key },
    })
  }
  return { collection, plan, change: replace }
}

/** Claims in a transaction, for backends without the capability: claimers then wait for each other. */
export async function claimInTransaction<T>(tx: StorageTransaction, claim: Claim): Promise<Revised<T>[]> {
  const { name } = claim.collection
  const writes = (await tx.query(name, claim.plan)).map(claim.change)
  if (writes.length > 0) await tx.put(name, writes)
  return writes.map(revised<T>)
}

const replaced = guarded('A claim', (collection: Collection, record: unknown, revision: string) =>
  collection.toWrite(record, newRevision(), revision),
)
