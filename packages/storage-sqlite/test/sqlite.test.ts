import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientConformance, type StorageSettings, storageConformance } from '@minions/storage-testkit'
import { sqliteStorage } from '../src/index.js'

const onFile = async (settings?: StorageSettings) => {
  const folder = await mkdtemp(join(tmpdir(), 'minions-sqlite-'))
  const make = () => sqliteStorage({ path: join(folder, 'minions.db'), synchronous: 'normal', ...settings })
  return {
    backend: make(),
    dispose: () => rm(folder, { recursive: true, force: true }),
    reopen: async () => make(),
    connect: async () => make(),
  }
}

const inMemory = async (settings?: StorageSettings) => ({
  backend: sqliteStorage({ path: ':memory:', ...settings }),
  dispose: async () => {},
})

for (const conformance of [storageConformance, clientConformance]) {
  conformance({ name: 'SQLite file', create: onFile })
  conformance({ name: 'SQLite :memory:', create: inMemory, concurrency: 'serial' })
}
