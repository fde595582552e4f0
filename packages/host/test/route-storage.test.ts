import { memoryStorage } from '@minions/core'
import { storageConformance } from '@minions/storage-testkit'
import { routeStorage } from '../src/index.js'

storageConformance({
  name: 'routed memory',
  create: async () => {
    const backend = routeStorage(memoryStorage(), {})
    return { backend, dispose: async () => {}, reopen: async () => backend }
  },
})
