import { memoryStorage } from '@minions/core/memory'
import { clientConformance, type StorageSettings, storageConformance } from '@minions/storage-testkit'

const create = async (settings?: StorageSettings) => {
  const backend = memoryStorage(settings)
  return { backend, dispose: async () => {}, reopen: async () => backend }
}

storageConformance({ name: 'memory', create })
clientConformance({ name: 'memory', create })
