import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { fsStorage } from '@minions/storage-fs'
import { sqliteStorage } from '@minions/storage-sqlite'
import { scratchFolder } from '../../../../tools/scratch-folder.js'
import { chosen } from './chosen.js'
import { type Backend, type Place, separate, shared } from './places.js'

function inFolder(create: (folder: string) => StorageBackend): Place {
  const folder = mkdtempSync(join(scratchFolder, 'minions-skills-'))
  return separate(
    () => create(folder),
    () => rmSync(folder, { recursive: true, force: true }),
  )
}

/** Backends that keep records outside the runtime. */
export const stores: readonly Backend[] = chosen.backends ?? [
  { name: 'memory', place: () => shared(memoryStorage) },
  {
    name: 'sqlite',
    place: () => inFolder((folder) => sqliteStorage({ path: join(folder, 'a.db'), synchronous: 'off' })),
  },
  { name: 'files', place: () => inFolder((folder) => fsStorage({ root: folder })) },
]

/** Every way to keep records. */
export const backends: readonly Backend[] = chosen.backends ?? [
  { name: 'no persistence', place: () => undefined },
  ...stores,
]
