import type { Plugin } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { storageFromUrl } from '@minions/host'
import type { Cli } from '../cli.js'

/**
 * Makes the backend of a URL: from the backends that come with this package, so that their URLs work in every folder, from those of
 * configured plugins, or from a package that is installed in the working directory. Throws `UNKNOWN_SCHEME`.
 */
export function backendFromUrl(cli: Cli, url: string, plugins: readonly Plugin[] = []): Promise<StorageBackend> {
  return storageFromUrl(url, [import.meta.url, cli.cwd], plugins)
}
