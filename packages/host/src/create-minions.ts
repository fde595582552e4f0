import { generateId, Minions, type MinionsEvents, type MinionsOptions, TypedEmitter } from '@minions/core'
import { CATALOGUE } from '@minions/core/operations'
import { guarded, type Logger, type Plugin, type PluginType, silentLogger } from '@minions/core/plugin'
import type { Collection, StorageBackend, StoreTransaction } from '@minions/core/storage'
import { createCatalogue } from './catalogue.js'
import { gatherCollections } from './check/collections.js'
import { type CheckedContribution, gatherContributions } from './check/contributions.js'
import { checkOperations } from './check/operations.js'
import { checkOptions } from './check/options.js'
import { checkPlugins } from './check/plugins.js'
import { startOrder } from './check/requirements.js'
import { checkServices } from './check/services.js'
import { gatherTypes } from './check/types.js'
import { Container } from './container.js'
import { checkStorage, type Parts, replaceParts } from './parts.js'
import type { App, Complete, PluginEntry } from './plugin-list.js'
import { RunningPlugins } from './running.js'
import { pointKey, registerHostServices, registerServices } from './services.js'
import { type ApplicationLocation, storageFromUrl } from './storage/storage-url.js'

const HOOKS = ['onChange', 'onLink', 'onUnlink', 'onImport'] as const

type HookName = (typeof HOOKS)[number]

/** The parts of an app. */
export interface CreateMinionsOptions<Plugins extends readonly PluginEntry[] = readonly PluginEntry[]>
  extends Omit<MinionsOptions, 'storage' | 'extendTransaction' | HookName> {
  /** A backend, or the URL of one: `memory:`, `sqlite:./minions.db`, `fs:./data`, `postgres://…`. */
  readonly storage: StorageBackend | string
  /** In any order; entries that are false, null or undefined are skipped. */
  readonly plugins?: Plugins & Complete<Plugins>
  /**
   * Plugins known only at run time, such as those of a configuration. One replaces a plugin of the same name in
   * `plugins`.
   */
  readonly morePlugins?: readonly PluginEntry[]
  /**
   * Folder from which backends of URLs are imported and at which relative paths start. Default: the working directory.
   */
  readonly from?: ApplicationLocation
  /** Logger of the app and its plugins. Default: none. */
  readonly logger?: Logger
}

/** The parts of an app known before anything is opened. */
interface Plan {
  readonly plugins: readonly Plugin[]
  readonly types: readonly PluginType[]
  readonly collections: readonly Collection[]
  readonly contributions: readonly CheckedContribution[]
}

/**
 * Creates an app: the client, with the API of every plugin under its namespace. Invalid lists of plugins are refused
 * before anything is opened; if a plugin fails to start, everything is closed again.
 */
export const createMinions = guarded('createMinions', createMinionsUnchecked, { callsBack: true })

async function createMinionsUnchecked<const Plugins extends readonly PluginEntry[] = readonly []>(
  options: CreateMinionsOptions<Plugins>,
): Promise<App<Plugins>> {
  const {
    plugins: entries = [] as readonly PluginEntry[],
    morePlugins = [],
    storage,
    from,
    logger,
    types,
    collections,
    ...client
  } = options
  const plan = planApp(entries, morePlugins, types ?? [], collections ?? [])
  const { plugins } = plan
  const parts = replaceParts(plugins, {
    storage: typeof storage === 'string' ? await storageFromUrl(storage, from, plugins) : checkStorage(storage),
    clock: client.clock ?? Date.now,
    ids: client.generateId ?? generateId,
    logger: logger ?? silentLogger,
  })
  return (await start(plan, parts, client)) as App<Plugins>
}

/** Checks the lists that an app is made of. No function of theirs is called, so what is thrown is about the lists. */
const planApp = guarded(
  'createMinions',
  (
    entries: readonly PluginEntry[],
    morePlugins: readonly PluginEntry[],
    types: readonly PluginType[],
    collections: readonly Collection[],
  ): Plan => {
    const plugins = startOrder(withoutNamesakes(checkPlugins(entries), checkPlugins(morePlugins)))
    checkServices(plugins)
    const contributions = gatherContributions(plugins)
    checkOperations(plugins, contributions)
    const plan = {
      plugins,
      contributions,
      types: gatherTypes(plugins, types),
      collections: gatherCollections(plugins, collections),
    }
    checkOptions(plugins)
    return plan
  },
  { checksInside: true },
)

function withoutNamesakes(plugins: readonly Plugin[], more: readonly Plugin[]): Plugin[] {
  const names = new Set(more.map(({ ref }) => ref.name))
  return checkPlugins([...plugins.filter(({ ref }) => !names.has(ref.name)), ...more])
}

async function start(plan: Plan, parts: Parts, client: Partial<MinionsOptions>): Promise<Minions> {
  const { plugins, types, collections, contributions } = plan
  const events = client.events ?? new TypedEmitter<MinionsEvents>()
  const container = new Container()
  const running = new RunningPlugins(container)
  const minions = await Minions.open({
    ...client,
    types,
    collections,
    events,
    storage: parts.storage,
    clock: parts.clock,
    generateId: parts.ids,
    logger: parts.logger,
    ...hooksOf(plugins),
    extendTransaction: (txClient, tx) => running.join(txClient, tx),
  })
  const closeStore = minions.close.bind(minions)
  const close = () => running.close(closeStore)
  Object.defineProperty(minions, 'close', { value: close })

  const { storage: store, registry } = minions
  const { storage: backend, clock, ids, logger } = parts
  registerHostServices(container, { client: minions, store, backend, registry, events, clock, ids, logger })
  registerServices(container, plugins)
  for (const { point, plugin, value } of contributions)
    container.register(pointKey(point.name), () => ({ plugin, value }))
  try {
    for (const plugin of plugins) {
      const value = await running.start(plugin)
      Object.defineProperty(minions, plugin.ref.namespace, { value, enumerable: true })
    }
    running.catalogue = createCatalogue(container, events)
    Object.defineProperty(minions, CATALOGUE, { value: running.catalogue })
  } catch (error) {
    // A failure to stop is worth logging, but it is not the original error.
    await close().catch((problem: unknown) =>
      parts.logger.error('An app that failed to start could not be stopped completely.', { problem }),
    )
    throw error
  }
  return minions
}

/** Calls the hooks of all plugins that have one, in start order; undefined if none has. */
function hooksOf(plugins: readonly Plugin[]): Pick<MinionsOptions, HookName> {
  const names = HOOKS.filter((name) => plugins.some((plugin) => plugin[name] !== undefined))
  return Object.fromEntries(names.map((name) => [name, hookOf(plugins, name)]))
}

function hookOf(plugins: readonly Plugin[], name: HookName) {
  const takingPart = plugins.filter((plugin) => plugin[name] !== undefined)
  return async (change: never, tx: StoreTransaction) => {
    for (const plugin of takingPart) await plugin[name]?.(change, tx)
  }
}
