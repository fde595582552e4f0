import { readdirSync, statSync } from 'node:fs'
import { memoryStorage } from '@minions/core/memory'
import type { Plugin } from '@minions/core/plugin'
import { hidePassword, parseStorageUrl, type StorageBackend, Store } from '@minions/core/storage'
import type { Configuration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { backendFromUrl } from './backend.js'

/** Runs `work` with a bare store, without a client or any collections, and closes it afterwards. */
export async function withStore<T>(
  cli: Cli,
  storage: string | StorageBackend,
  work: (store: Store) => Promise<T>,
  plugins: readonly Plugin[] = [],
): Promise<T> {
  const backend = typeof storage === 'string' ? await backendFromUrl(cli, storage, plugins) : storage
  const store = await Store.open(backend, [])
  return cli.guarded(
    () => store.close(),
    () => work(store),
  )
}

/** The backend of the configured store. Throws `NOT_FOUND` when it does not exist and the command does not create it. */
export async function configuredBackend(
  cli: Cli,
  { storage: { value, source }, plugins }: Pick<Configuration, 'storage' | 'plugins'>,
): Promise<StorageBackend> {
  if (typeof value !== 'string') return value
  if (cli.storeNeed === 'optional' && source === 'default' && isMissing(value)) return memoryStorage()
  if (cli.storeNeed !== 'create') assertExists(value)
  return backendFromUrl(
    cli,
    value,
    plugins.map((plugin) => plugin.value),
  )
}

/** Throws `NOT_FOUND` for a file or folder that does not exist: opening it would create it. */
export function assertExists(url: string): void {
  if (!isMissing(url)) return
  const shown = hidePassword(url)
  throw cliError(
    'NOT_FOUND',
    `There is no store at ${shown}. Check the URL (minions config show), or create the store by adding something, such as: minions create note --title Hello --content World --storage ${shown}`,
    { details: { url: shown } },
  )
}

/** True if a URL names a file or folder that does not exist, or an empty folder, which is not a store yet. */
export function isMissing(url: string): boolean {
  const path = localPath(url)
  if (path === undefined) return false
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined || (found.isDirectory() && readdirSync(path).length === 0)
}

/** The file or folder behind a URL, if it is one. */
export function localPath(url: string): string | undefined {
  const { path } = parseStorageUrl(url) ?? {}
  return path === ':memory:' ? undefined : path
}
