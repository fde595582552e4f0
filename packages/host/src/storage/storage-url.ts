import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { cwd } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { coreError, MinionsError } from '@minions/core'
import { guarded, type Plugin } from '@minions/core/plugin'
import {
  hidePassword,
  parseStorageUrl,
  resolveStorageUrl,
  type StorageBackend,
  type StorageFactory,
  type StorageScheme,
  StorageSchemes,
  storageSchemes,
} from '@minions/core/storage'
import { hostError } from '../errors.js'

/** Location of an application: its folder, or the URL of one of its modules, such as `import.meta.url`. */
export type ApplicationLocation = string | URL

/** The package for each of our schemes. Core has `memory:`. */
const backends = {
  sqlite: '@minions/storage-sqlite',
  fs: '@minions/storage-fs',
  postgres: '@minions/storage-postgres',
  postgresql: '@minions/storage-postgres',
} as const

/**
 * Creates the backend for a storage URL, from the package that the application has installed, without opening it. An
 * unknown scheme is looked up among `plugins`, and then in the packages `@minions/storage-<scheme>` and
 * `minions-storage-<scheme>`. `from` may be several locations; the first that has the package wins. Throws
 * `UNKNOWN_SCHEME`, `STORAGE_NOT_INSTALLED` or `STORAGE_NOT_LOADED`.
 */
export const storageFromUrl = guarded('storageFromUrl', storageFromUrlUnchecked, { callsBack: true })

async function storageFromUrlUnchecked(
  url: string,
  from?: ApplicationLocation | readonly ApplicationLocation[],
  plugins: readonly Plugin[] = [],
): Promise<StorageBackend> {
  const folders = foldersOf(from)
  const schemes = new StorageSchemes()
  for (const [scheme, name] of Object.entries(backends)) {
    schemes.register(scheme, async (given) => {
      const file = find(name, folders)
      if (file === undefined) throw notInstalled(name, given, folders)
      return (await importBackend(name, file, given))(relativeTo(folders, given))
    })
  }
  for (const { scheme, create } of schemesOf(plugins)) schemes.register(scheme, create)
  const { scheme } = parseStorageUrl(url) ?? {}
  if (scheme !== undefined && !schemes.list().includes(scheme)) {
    const [found] = packagesOf(scheme).flatMap((name) => {
      const file = find(name, folders)
      return file === undefined ? [] : [{ name, file }]
    })
    if (found) schemes.register(scheme, async (given) => (await importBackend(found.name, found.file, given))(given))
  }
  return resolveWith(schemes, url, scheme)
}

/** Contributions of plugins; the host validates them again when it starts them. */
const schemesOf = guarded('storageFromUrl', (plugins: readonly Plugin[]): StorageScheme[] =>
  plugins.flatMap(({ contributes }) =>
    contributes.flatMap(([point, values]) =>
      point.name === storageSchemes.name ? (values as readonly StorageScheme[]) : [],
    ),
  ),
)

/** The packages that may have the backend of a scheme, by naming convention. */
function packagesOf(scheme: string): string[] {
  const name = scheme.replace(/[^a-z0-9-]/g, '-')
  return [`@minions/storage-${name}`, `minions-storage-${name}`]
}

async function resolveWith(schemes: StorageSchemes, url: string, scheme: string | undefined): Promise<StorageBackend> {
  try {
    return await schemes.resolve(url)
  } catch (error) {
    if (scheme === undefined || !coreError.is(error, 'UNKNOWN_SCHEME')) throw error
    const packages = packagesOf(scheme)
    const remedy = `Install ${packages.join(' or ')}, or add a plugin that provides it.`
    throw new MinionsError(error.code, `${error.message} ${remedy}`, {
      details: { ...error.details, packages },
      cause: error,
    })
  }
}

const foldersOf = guarded(
  'storageFromUrl',
  (from: ApplicationLocation | readonly ApplicationLocation[] = cwd()): string[] =>
    (Array.isArray(from) ? from : [from]).map(folderOf),
)

function folderOf(location: ApplicationLocation): string {
  const text = String(location)
  if (!text.startsWith('file:')) return text
  return text.endsWith('/') ? fileURLToPath(text) : dirname(fileURLToPath(text))
}

/** The entry file of a package; undefined when no location has it. */
function find(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(name)
    } catch {
      // The next location may have it.
    }
  }
  return undefined
}

function notInstalled(name: string, url: string, folders: readonly string[]): Error {
  const shown = hidePassword(url)
  const message = `The storage URL "${shown}" needs ${name}, which ${folders.join(' and ')} does not have; run: npm install ${name}`
  return hostError('STORAGE_NOT_INSTALLED', message, { details: { package: name, url: shown } })
}

async function importBackend(name: string, file: string, url: string): Promise<StorageFactory> {
  const shown = hidePassword(url)
  let loaded: { storageFromUrl?: unknown }
  try {
    loaded = await import(/* @vite-ignore */ pathToFileURL(file).href)
  } catch (cause) {
    throw notLoaded(name, shown, 'cannot be imported', cause)
  }
  if (typeof loaded.storageFromUrl === 'function') return loaded.storageFromUrl as StorageFactory
  throw notLoaded(name, shown, 'does not export storageFromUrl; install a version compatible with this host')
}

function notLoaded(name: string, url: string, problem: string, cause?: unknown): Error {
  return hostError('STORAGE_NOT_LOADED', `The storage URL "${url}" needs ${name}, which ${problem}.`, {
    details: { package: name, url },
    ...(cause !== undefined && { cause }),
  })
}

/**
 * Backends resolve relative paths from the working directory; those of an application elsewhere start in its folder.
 */
function relativeTo([folder = cwd()]: readonly string[], url: string): string {
  return resolveStorageUrl(url, (path) => resolve(folder, path))
}
