import { type StorageBackend, Store } from '@minions/core/storage'
import { skillsCollections } from '../../src/index.js'
import { watchStore } from '../../src/testing/index.js'

/** A location for a store that can be opened more than once, as two processes would. */
export interface Location {
  open(): Promise<Store>
  dispose(): Promise<void>
}

/** A kind of storage to run a suite on; there is no location where the runtime keeps everything itself. */
export interface Backend {
  readonly name: string
  location(): Location | undefined
}

/** Every opening is a store of its own on the same data. */
export function separate(create: () => StorageBackend | Promise<StorageBackend>, cleanUp: () => void): Location {
  const stores: Store[] = []
  return {
    async open() {
      const store = watchStore(await Store.open(await create(), skillsCollections))
      stores.push(store)
      return store
    },
    async dispose() {
      for (const store of stores) await store.close()
      cleanUp()
    },
  }
}

/** All openings share one store, where a second one could not see the data. */
export function shared(create: () => StorageBackend | Promise<StorageBackend>): Location {
  let store: Promise<Store> | undefined
  return {
    open: () => {
      store ??= Promise.resolve(create()).then(async (backend) =>
        watchStore(await Store.open(backend, skillsCollections)),
      )
      return store
    },
    dispose: async () => (await store)?.close(),
  }
}
