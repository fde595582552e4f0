import type { Plugin } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { storageFromUrl } from '@minions/host'
import type { Cli } from '../cli.js'

/**
 * Creates the backend of a URL: one that ships with this package, so that its URLs work in every folder, one of a
 * configured plugin, or one of a package installed in the working directory. Throws `UNKNOWN_SCHEME`.
 */
export function backendFromUrl(cli: Cli, url: string, plugins: readonly Plugin[] = []): Promise<StorageBackend> {
  return storageFromUrl(url, [import.meta.url, cli.cwd], plugins)
}
