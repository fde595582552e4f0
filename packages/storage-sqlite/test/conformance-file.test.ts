import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { clientConformance, type StorageSettings, storageConformance } from '@minions/storage-testkit'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { sqliteStorage } from '../src/index.js'

const create = async (settings?: StorageSettings) => {
  const folder = await mkdtemp(join(scratchFolder, 'minions-sqlite-'))
  const make = () => sqliteStorage({ path: join(folder, 'minions.db'), synchronous: 'normal', ...settings })
  return {
    backend: make(),
    dispose: () => rm(folder, { recursive: true, force: true }),
    reopen: async () => make(),
    connect: async () => make(),
  }
}

for (const conformance of [storageConformance, clientConformance]) conformance({ name: 'SQLite file', create })
