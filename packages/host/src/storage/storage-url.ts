import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hidePassword, resolveFileUrl, type StorageBackend, type StorageFactory, StorageSchemes } from '@minions/core'
import { hostError } from '../errors.js'

/** Where an application lives: its folder, or the URL of one of its modules, such as `import.meta.url`. */
export type ApplicationPlace = string | URL

/** The package behind each scheme. Core has `memory:`. */
const backends = {
  sqlite: '@minions/storage-sqlite',
  fs: '@minions/storage-fs',
  postgres: '@minions/storage-postgres',
  postgresql: '@minions/storage-postgres',
} as const

/**
 * Makes the backend that a storage URL names, from the package that the application has installed. Nothing is opened yet.
 * Throws `UNKNOWN_SCHEME`, `STORAGE_NOT_INSTALLED` or `STORAGE_NOT_LOADED`.
 */
export async function storageFromUrl(url: string, from?: ApplicationPlace): Promise<StorageBackend> {
  const schemes = new StorageSchemes()
  for (const [scheme, name] of Object.entries(backends)) {
    schemes.register(scheme, async (given) => (await importBackend(name, given, from))(relativeTo(from, given)))
  }
  return schemes.resolve(url)
}

/** The folder that a place stands for. */
function folderOf(place: ApplicationPlace = cwd()): string {
  const text = String(place)
  if (!text.startsWith('file:')) return text
  return text.endsWith('/') ? fileURLToPath(text) : dirname(fileURLToPath(text))
}

async function importBackend(name: string, url: string, from?: ApplicationPlace): Promise<StorageFactory> {
  const shown = hidePassword(url)
  let file: string
  try {
    file = createRequire(join(folderOf(from), 'package.json')).resolve(name)
  } catch (cause) {
    throw hostError(
      'STORAGE_NOT_INSTALLED',
      `The storage URL "${shown}" needs ${name}, which ${folderOf(from)} does not have; run: npm install ${name}`,
      { details: { package: name, url: shown }, cause },
    )
  }
  let loaded: { storageFromUrl?: unknown }
  try {
    loaded = await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (cause) {
    throw notLoaded(name, shown, 'cannot be imported', cause)
  }
  if (typeof loaded.storageFromUrl === 'function') return loaded.storageFromUrl as StorageFactory
  throw notLoaded(name, shown, 'does not export storageFromUrl; install a version that fits this host')
}

function notLoaded(name: string, url: string, problem: string, cause?: unknown): Error {
  return hostError('STORAGE_NOT_LOADED', `The storage URL "${url}" needs ${name}, which ${problem}.`, {
    details: { package: name, url },
    ...(cause !== undefined && { cause }),
  })
}

/** Backends read relative paths from the working directory; those of an application elsewhere begin in its folder. */
function relativeTo(from: ApplicationPlace | undefined, url: string): string {
  return from === undefined ? url : resolveFileUrl(url, (path) => resolve(folderOf(from), path))
}
