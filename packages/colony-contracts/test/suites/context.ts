import type { StorageBackend } from '@minions/core/storage'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { ColonyStore, type ColonyStoreOptions } from '../../src/index.js'

/** Makes an empty backend, and what removes it again. */
export type CreateBackend = () => Promise<{ readonly backend: StorageBackend; readonly dispose?: () => Promise<void> }>

export interface Context {
  /** An open store on an empty backend, closed after the test. */
  open(options?: ColonyStoreOptions): Promise<ColonyStore>
}

/** To be called inside a `describe`: cleans up after each of its tests. */
export function context(create: CreateBackend): Context {
  const cleanups: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  return {
    async open(options) {
      const { backend, dispose } = await create()
      if (dispose) cleanups.push(dispose)
      const store = await ColonyStore.open(backend, options)
      cleanups.push(() => store.close())
      return store
    },
  }
}

/** To be called inside a `describe`: one store for all of its tests, which keep to missions of their own. */
export function sharedStore(create: CreateBackend): () => ColonyStore {
  let store: ColonyStore | undefined
  let dispose: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const created = await create()
    dispose = created.dispose
    store = await ColonyStore.open(created.backend)
  })
  afterAll(async () => {
    await store?.close()
    await dispose?.()
  })
  return () => store as ColonyStore
}
