import { messageOf } from '@minions/core'
import { getOwn } from '@minions/core/json'
import { isPlugin, type Plugin } from '@minions/core/plugin'
import { hostError } from '../errors.js'
import type { ConfigPlugin, NamedPlugin } from './config.js'
import type { ImportModule } from './imports.js'

type Module = Readonly<Record<string, unknown>>

/** Imports a plugin named in a configuration and creates it with its options. */
export async function loadPlugin(entry: ConfigPlugin, importModule: ImportModule): Promise<Plugin> {
  const named = normalize(entry)
  const { name, options } = named
  let loaded: Module
  try {
    loaded = await importModule(name)
  } catch (cause) {
    const remedy = name.startsWith('.') ? 'check the path' : `is it installed? npm install ${name}`
    throw notLoaded(name, `cannot be imported (${messageOf(cause)}); ${remedy}`, cause)
  }
  const maker = findMaker(named, loaded)
  if (isPlugin(maker)) {
    if (options === undefined) return maker
    throw notLoaded(name, 'does not accept options: it exports a plugin, not a function that creates one')
  }
  let plugin: unknown
  try {
    plugin = options === undefined ? maker() : maker(options)
  } catch (cause) {
    throw notLoaded(name, `failed when it was created: ${messageOf(cause)}`, cause)
  }
  if (isPlugin(plugin)) return plugin
  throw notLoaded(name, 'exports a function that does not create a plugin; it must return what definePlugin returns')
}

function normalize(entry: ConfigPlugin): NamedPlugin {
  if (typeof entry === 'string') return { name: entry }
  return Array.isArray(entry) ? { name: entry[0], options: entry[1] } : entry
}

/**
 * The export that creates the plugin: the requested one, or `default`, `plugin`, or the package's name in camelCase.
 */
function findMaker(named: NamedPlugin, loaded: Module): Plugin | ((options?: unknown) => unknown) {
  const candidates = named.export === undefined ? ['default', 'plugin', camelCase(named.name)] : [named.export]
  for (const candidate of candidates) {
    const value = getOwn(loaded, candidate)
    if (isPlugin(value)) return value
    if (typeof value === 'function') return value as (options?: unknown) => unknown
  }
  throw notLoaded(
    named.name,
    `exports no function ${candidates.map((name) => `"${name}"`).join(' or ')}; specify it with { name, export }`,
  )
}

/** `@acme/audit-log` and `./plugins/audit-log.ts` are both `auditLog`. */
function camelCase(name: string): string {
  const last = name.split('/').at(-1) ?? name
  return last
    .replace(/\.[cm]?[jt]s$/, '')
    .replace(/[-_.]+(.)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())
}

function notLoaded(name: string, problem: string, cause?: unknown): Error {
  return hostError('PLUGIN_NOT_LOADED', `The plugin "${name}" ${problem}.`, {
    details: { plugins: [name] },
    ...(cause !== undefined && { cause }),
  })
}
