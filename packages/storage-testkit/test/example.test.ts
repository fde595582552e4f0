import { clientConformance, storageConformance } from '../src/index.js'
import { exampleStorage } from './example-backend.js'

const create = async () => {
  const backend = exampleStorage()
  return { backend, dispose: async () => {}, reopen: async () => backend }
}

storageConformance({ name: 'example', create })
clientConformance({ name: 'example', create })
