import { memoryStorage } from '@minions/core/memory'
import { guarded, takeOptions } from '@minions/core/plugin'
import { Store } from '@minions/core/storage'
import type { Executor } from './executor.js'
import { jobsCollections } from './store/collections.js'
import { StoreExecutor, type StoreExecutorOptions } from './store/store-executor.js'

/** Options of an executor within the process. */
export type InProcessOptions = Omit<StoreExecutorOptions, 'store' | 'watch' | 'shared'>

/** Delivers jobs to workers of the same process. Jobs are kept in memory and end with it. */
export const inProcessExecutor = guarded('inProcessExecutor', inProcessExecutorUnchecked)

async function inProcessExecutorUnchecked(options: InProcessOptions = {}): Promise<Executor> {
  const taken = takeOptions('The options of an executor', options)
  const backend = memoryStorage()
  const store = await Store.open(backend, jobsCollections)
  return new StoreExecutor({ ...taken, store, shared: false, watch: backend.watchChanges?.bind(backend) })
}
