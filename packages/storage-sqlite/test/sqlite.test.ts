import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { sqliteStorage } from '../src/index.js'

const onFile = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'minions-sqlite-'))
  const make = () => sqliteStorage({ path: join(folder, 'minions.db'), synchronous: 'normal' })
  return {
    backend: make(),
    dispose: () => rm(folder, { recursive: true, force: true }),
    reopen: async () => make(),
    connect: async () => make(),
  }
}

const inMemory = async () => ({ backend: sqliteStorage({ path: ':memory:' }), dispose: async () => {} })

for (const conformance of [storageConformance, clientConformance]) {
  conformance({ name: 'SQLite file', create: onFile })
  conformance({ name: 'SQLite :memory:', create: inMemory, concurrency: 'serial' })
}
