import { memoryStorage } from '@minions/core'
import { clientConformance, storageConformance } from '@minions/storage-testkit'

const create = async () => {
  const backend = memoryStorage()
  return { backend, dispose: async () => {}, reopen: async () => backend }
}

storageConformance({ name: 'memory', create })
clientConformance({ name: 'memory', create })
