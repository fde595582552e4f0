import type { StorageBackend, StorageFactory } from '@minions/core'
import { storageFromUrl } from '@minions/host'

/** The backends that come with this package, so that their URLs work in every folder. */
const packages: Readonly<Record<string, () => Promise<{ readonly storageFromUrl: StorageFactory }>>> = {
  sqlite: () => import('@minions/storage-sqlite'),
  fs: () => import('@minions/storage-fs'),
  postgres: () => import('@minions/storage-postgres'),
  postgresql: () => import('@minions/storage-postgres'),
}

/** Makes the backend of a URL. Throws `UNKNOWN_SCHEME`. */
export async function backendFromUrl(url: string): Promise<StorageBackend> {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase() ?? ''
  const load = Object.hasOwn(packages, scheme) ? packages[scheme] : undefined
  return load ? (await load()).storageFromUrl(url) : storageFromUrl(url)
}
