import { join } from 'node:path'
import type { ConformanceOptions, StorageSettings } from '@minions/storage-testkit'
import { type FsStorageOptions, fsStorage } from '../src/index.js'
import { removeFolder, temporaryFolder } from './folders.js'

/** Runs halves of the conformance kit on stores with these options. */
export function conformance(
  name: string,
  options: Omit<FsStorageOptions, 'root'>,
  halves: readonly ((options: ConformanceOptions) => void)[],
): void {
  const create = async (settings?: StorageSettings) => {
    const folder = temporaryFolder()
    const make = () => fsStorage({ root: join(folder, 'store'), ...options, ...settings })
    return {
      backend: make(),
      dispose: async () => removeFolder(folder),
      reopen: async () => make(),
      connect: async () => make(),
    }
  }
  for (const half of halves) half({ name, create })
}
