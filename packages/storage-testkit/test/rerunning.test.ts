import { memoryStorage } from '@minions/core/memory'
import { clientConformance, rerunning, type StorageSettings, storageConformance } from '../src/index.js'

const create = async (settings?: StorageSettings) => {
  const backend = rerunning(memoryStorage(settings))
  return { backend, dispose: async () => {}, reopen: async () => backend }
}

storageConformance({ name: 'memory that runs every transaction twice', create })
clientConformance({ name: 'memory that runs every transaction twice', create })
