import type { StorageBackend } from '@minions/core'

/** A backend that does everything as another one does, except for what is replaced. */
export function decorate(backend: StorageBackend, replaced: Partial<StorageBackend>): StorageBackend {
  return {
    name: backend.name,
    capabilities: backend.capabilities,
    open: (collections) => backend.open(collections),
    close: () => backend.close(),
    get: (collection, keys) => backend.get(collection, keys),
    query: (collection, plan) => backend.query(collection, plan),
    count: (collection, selection) => backend.count(collection, selection),
    transaction: (work) => backend.transaction(work),
    catalogue: () => backend.catalogue(),
    dataVersion: backend.dataVersion?.bind(backend),
    problems: async () => (await backend.problems?.()) ?? [],
    ...replaced,
  }
}
