import { existsSync } from 'node:fs'
import { hidePassword, parseFileUrl, type StorageBackend, Store } from '@minions/core'
import { backendFromUrl } from './backend.js'
import type { Cli } from './cli.js'
import { cliError } from './errors.js'

/** Runs `work` with a store as it is, without a client and without any collection of ours, and closes it afterwards. */
export async function withStore<T>(
  cli: Cli,
  storage: string | StorageBackend,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const backend = typeof storage === 'string' ? await backendFromUrl(storage) : storage
  const store = await Store.open(backend, [])
  return cli.guarded(
    () => store.close(),
    () => work(store),
  )
}

/** Throws `NOT_FOUND` for a file or folder that does not exist: opening it would make it. */
export function assertExists(url: string): void {
  const path = localPath(url)
  if (path === undefined || existsSync(path)) return
  throw cliError('NOT_FOUND', `There is no store at ${hidePassword(url)}.`, { details: { url: hidePassword(url) } })
}

/** The file or folder behind a URL, if it is one. */
export function localPath(url: string): string | undefined {
  const { path } = parseFileUrl(url) ?? {}
  return path === ':memory:' ? undefined : path
}
