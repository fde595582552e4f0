import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { coreError, messageOf, quote } from '@minions/core'
import { guarded, isPlugin, type Plugin, takeList } from '@minions/core/plugin'
import { describeIssues, type Issue, ownSchema } from '@minions/core/schema'
import type { StorageBackend } from '@minions/core/storage'
import { hostError } from '../errors.js'
import { type Config, type ConfigPlugin, ConfigSchema } from './config.js'
import { findConfig } from './find-config.js'
import { applicationImports, type ImportModule } from './imports.js'
import { loadPlugin } from './load-plugin.js'

/** A configuration with its plugins created, ready for `createMinions`. */
export interface LoadedConfig {
  readonly storage: string | StorageBackend
  readonly plugins: readonly Plugin[]
  /** The folder of the configuration. */
  readonly from: string
  /** The file it was read from. */
  readonly file: string
}

/**
 * Reads `minions.config.ts`, `.js`, `.mjs` or `.json` in a folder, imports the plugins it names and creates them with
 * their options. Throws `CONFIG_NOT_FOUND`, `CONFIG_INVALID` with every problem, or `PLUGIN_NOT_LOADED`.
 */
export const loadConfig = guarded('loadConfig', loadConfigUnchecked, { callsBack: true })

async function loadConfigUnchecked(folder: string): Promise<LoadedConfig> {
  const from = folderAt(folder)
  const file = findConfig(from)
  const importModule = applicationImports(from)
  const config = await read(file, importModule)
  check(config, file)
  const plugins = await loadAll(config.plugins ?? [], importModule)
  return { storage: config.storage, plugins, from, file }
}

/** Imports and creates the plugins that an application in a folder names. Throws `PLUGIN_NOT_LOADED`. */
export const loadPlugins = guarded('loadPlugins', loadPluginsUnchecked, { callsBack: true })

async function loadPluginsUnchecked(entries: readonly ConfigPlugin[], folder: string): Promise<Plugin[]> {
  return loadAll(takeList('The plugins', entries), applicationImports(folderAt(folder)))
}

function folderAt(folder: string): string {
  if (typeof folder === 'string') return resolve(folder)
  throw coreError('VALIDATION_FAILED', `The folder of an application must be a text, not ${quote(folder)}.`)
}

async function loadAll(entries: NonNullable<Config['plugins']>, importModule: ImportModule): Promise<Plugin[]> {
  const plugins: Plugin[] = []
  for (const entry of entries) {
    if (!entry) continue
    plugins.push(isPlugin(entry) ? entry : await loadPlugin(entry as ConfigPlugin, importModule))
  }
  return plugins
}

async function read(file: string, importModule: ImportModule): Promise<Config> {
  try {
    if (file.endsWith('.json')) return JSON.parse(await readFile(file, 'utf8')) as Config
    const loaded = await importModule(file)
    if ('default' in loaded) return loaded.default as Config
  } catch (cause) {
    throw invalid(file, [], `cannot be read: ${messageOf(cause)}`, cause)
  }
  throw invalid(file, [], 'has no default export; write `export default { storage: …, plugins: […] }`')
}

const configSchema = ownSchema(ConfigSchema)

function check(config: Config, file: string): void {
  const errors = configSchema().issues(plainForm(config))
  if (errors.length > 0) throw invalid(file, errors, `is invalid: ${describeIssues(errors, 'the whole value')}`)
}

/** The configuration as plain JSON: valid values that only code can provide are replaced with what they stand for. */
function plainForm(config: unknown): unknown {
  if (typeof config !== 'object' || config === null) return config
  const { storage, plugins, ...rest } = config as Record<string, unknown>
  const isBackend = typeof storage === 'object' && storage !== null && 'open' in storage && 'transaction' in storage
  return {
    ...rest,
    ...(storage !== undefined && { storage: isBackend ? 'memory:' : storage }),
    ...(plugins !== undefined && {
      plugins: Array.isArray(plugins)
        ? plugins.map((entry) => (!entry && entry !== '' ? 'left out' : isPlugin(entry) ? entry.ref.name : entry))
        : plugins,
    }),
  }
}

function invalid(file: string, errors: readonly Issue[], problem: string, cause?: unknown): Error {
  const remedy = 'Its keys are `storage`, a URL, and `plugins`, a list of names, [name, options] or { name, options }.'
  return hostError('CONFIG_INVALID', `${basename(file)} ${problem}. ${remedy}`, {
    details: { file: join(file), errors },
    ...(cause !== undefined && { cause }),
  })
}
