import { guarded } from '@minions/core/plugin'
import type { StorageBackend, StorageTransaction } from '@minions/core/storage'
import { decorate } from './decorate.js'

/**
 * A backend that runs the work of every transaction twice and rolls the first run back, as a database does when two
 * writers collide. Code that works on it has no side effects in a transaction that must not happen twice.
 */
export const rerunning = guarded('rerunning', (backend: StorageBackend): StorageBackend => {
  const running = new Set<Promise<unknown>>()
  return decorate(backend, {
    async close() {
      while (running.size > 0) await Promise.allSettled(running)
      await backend.close()
    },
    async transaction(work) {
      const result = twice(backend, work)
      running.add(result)
      try {
        return await result
      } finally {
        running.delete(result)
      }
    },
  })
})

async function twice<T>(backend: StorageBackend, work: (tx: StorageTransaction) => Promise<T>): Promise<T> {
  const rolledBack = new Error('The first run is rolled back.')
  const firstRun = backend.transaction(async (tx) => {
    await work(tx)
    throw rolledBack
  })
  await firstRun.catch((error: unknown) => {
    if (error !== rolledBack) throw error
  })
  return backend.transaction(work)
}
