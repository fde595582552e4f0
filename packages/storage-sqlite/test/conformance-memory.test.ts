import { clientConformance, type StorageSettings, storageConformance } from '@minions/storage-testkit'
import { sqliteStorage } from '../src/index.js'

const create = async (settings?: StorageSettings) => ({
  backend: sqliteStorage({ path: ':memory:', ...settings }),
  dispose: async () => {},
})

for (const conformance of [storageConformance, clientConformance]) {
  conformance({ name: 'SQLite :memory:', create, concurrency: 'serial' })
}
