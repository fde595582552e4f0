import { guarded } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'

/**
 * A backend that delegates to another one, except for what is replaced. Batches and claims become transactions, so that
 * changes to transactions apply to them too.
 */
export const decorate = guarded('decorate', decorateUnchecked)

function decorateUnchecked(backend: StorageBackend, replaced: Partial<StorageBackend>): StorageBackend {
  return {
    name: backend.name,
    capabilities: { ...backend.capabilities, claim: false },
    open: (collections) => backend.open(collections),
    close: () => backend.close(),
    get: (collection, keys) => backend.get(collection, keys),
    query: (collection, plan) => backend.query(collection, plan),
    count: (collection, selection) => backend.count(collection, selection),
    transaction: (work) => backend.transaction(work),
    catalogue: () => backend.catalogue(),
    dataVersion: backend.dataVersion?.bind(backend),
    changes: backend.changes?.bind(backend),
    watchChanges: backend.watchChanges?.bind(backend),
    problems: async () => (await backend.problems?.()) ?? [],
    ...replaced,
  }
}
