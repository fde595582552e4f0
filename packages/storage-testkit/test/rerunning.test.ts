import { memoryStorage } from '@minions/core'
import { clientConformance, rerunning, storageConformance } from '../src/index.js'

const create = async () => {
  const backend = rerunning(memoryStorage())
  return { backend, dispose: async () => {}, reopen: async () => backend }
}

storageConformance({ name: 'memory that runs every transaction twice', create })
clientConformance({ name: 'memory that runs every transaction twice', create })
