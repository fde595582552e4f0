import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Plugin } from '@minions/core/plugin'
import { hidePassword, resolveStorageUrl, type StorageBackend } from '@minions/core/storage'
import { CONFIG_FILES, loadConfig, loadPlugins } from '@minions/host'
import type { Cli } from '../cli.js'

/** A value of the configuration, and its source. */
export interface Setting<T> {
  readonly value: T
  readonly source: string
}

export interface Configuration {
  /** Folder of workspaces and the default store. */
  readonly home: Setting<string>
  /** A URL with an absolute path, or a backend created by a configuration file. */
  readonly storage: Setting<string | StorageBackend>
  readonly plugins: readonly Setting<Plugin>[]
}

/** The name of a store, for people: its URL without the password. */
export function storageName({ value }: Configuration['storage']): string {
  return typeof value === 'string' ? hidePassword(value) : value.name
}

/** `MINIONS_HOME`, or `~/.minions`. */
export function homeOf(cli: Cli): Setting<string> {
  const given = cli.env.MINIONS_HOME
  if (!given) return { value: join(homedir(), '.minions'), source: 'default' }
  return { value: resolve(cli.cwd, given.replace(/^~(?=$|[/\\])/, homedir())), source: 'MINIONS_HOME' }
}

/** Reads everything: options take precedence over the environment, then `minions.config.*`, then the defaults. */
export async function readConfiguration(cli: Cli): Promise<Configuration> {
  const home = homeOf(cli)
  const file = CONFIG_FILES.some((name) => existsSync(join(cli.cwd, name))) ? await loadConfig(cli.cwd) : undefined
  const named = await loadPlugins(cli.options.plugin ?? [], cli.cwd)
  return {
    home,
    storage: storageOf(cli, home.value, file),
    plugins: [
      ...(file?.plugins ?? []).map((value) => ({ value, source: file?.file ?? '' })),
      ...named.map((value) => ({ value, source: '--plugin' })),
    ],
  }
}

function storageOf(
  cli: Cli,
  home: string,
  file: { readonly storage: string | StorageBackend; readonly file: string; readonly from: string } | undefined,
): Configuration['storage'] {
  const { storage } = cli.options
  if (storage !== undefined) return { value: absoluteUrl(storage, cli.cwd), source: '--storage' }
  const fromEnvironment = cli.env.MINIONS_STORAGE
  if (fromEnvironment) return { value: absoluteUrl(fromEnvironment, cli.cwd), source: 'MINIONS_STORAGE' }
  if (file) {
    const value = typeof file.storage === 'string' ? absoluteUrl(file.storage, file.from) : file.storage
    return { value, source: file.file }
  }
  return { value: absoluteUrl('sqlite:minions.db', home), source: 'default' }
}

/** Paths in URLs are relative to where the URL was written. */
export function absoluteUrl(url: string, folder: string): string {
  return resolveStorageUrl(url, (path) => resolve(folder, path))
}
