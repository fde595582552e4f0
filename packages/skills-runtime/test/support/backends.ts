import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { fsStorage } from '@minions/storage-fs'
import { sqliteStorage } from '@minions/storage-sqlite'
import { scratchFolder } from '../../../../tools/scratch-folder.js'
import { chosen } from './chosen.js'
import { type Backend, type Location, separate, shared } from './locations.js'

function inFolder(create: (folder: string) => StorageBackend): Location {
  const folder = mkdtempSync(join(scratchFolder, 'minions-skills-'))
  return separate(
    () => create(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  )
}

/** Backends that keep records outside the runtime. */
export const stores: readonly Backend[] = chosen.backends ?? [
  { name: 'memory', location: () => shared(memoryStorage) },
  {
    name: 'sqlite',
    location: () => inFolder((folder) => sqliteStorage({ path: join(folder, 'a.db'), synchronous: 'off' })),
  },
  { name: 'files', location: () => inFolder((folder) => fsStorage({ root: folder })) },
]

/** Every way to keep records. */
export const backends: readonly Backend[] = chosen.backends ?? [
  { name: 'no persistence', location: () => undefined },
  ...stores,
]
