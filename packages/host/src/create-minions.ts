import {
  type Collection,
  generateId,
  type Logger,
  Minions,
  type MinionsEvents,
  type MinionsOptions,
  type OnChange,
  type OnLink,
  type Plugin,
  type PluginType,
  type StorageBackend,
  silentLogger,
  TypedEmitter,
  tokens,
} from '@minions/core'
import { gatherCollections } from './check/collections.js'
import { checkOptions } from './check/options.js'
import { checkPlugins } from './check/plugins.js'
import { startOrder } from './check/requirements.js'
import { checkTokens } from './check/tokens.js'
import { gatherTypes } from './check/types.js'
import { checkOverrides, checkStorage, type Parts, replaceParts } from './parts.js'
import type { App, PluginEntry } from './plugin-list.js'
import { RunningPlugins } from './running.js'
import { type ApplicationPlace, storageFromUrl } from './storage/storage-url.js'
import { HOST, Wiring } from './wiring.js'

/** What an app is made of. */
export interface CreateMinionsOptions<Plugins extends readonly PluginEntry[] = readonly PluginEntry[]>
  extends Omit<MinionsOptions, 'storage' | 'extendTransaction' | 'onChange' | 'onLink'> {
  /** A backend, or the URL of one: `memory:`, `sqlite:./minions.db`, `fs:./data`, `postgres://…`. */
  readonly storage: StorageBackend | string
  /** In any order; entries that are false, null or undefined are left out. */
  readonly plugins?: Plugins
  /** Where backends that URLs name are imported from and relative paths begin; the working directory unless given. */
  readonly from?: ApplicationPlace
  /** Where the app and its plugins log to; nowhere unless given. */
  readonly logger?: Logger
}

/** What is known of an app before anything is opened. */
interface Plan {
  readonly plugins: readonly Plugin[]
  readonly types: readonly PluginType[]
  readonly collections: readonly Collection[]
}

/**
 * Makes an app: the client, with the API of every plugin under its namespace. All that can be wrong with a list of
 * plugins is refused before anything is opened; if a plugin fails to start, everything is closed again.
 */
export async function createMinions<const Plugins extends readonly PluginEntry[] = readonly []>(
  options: CreateMinionsOptions<Plugins>,
): Promise<App<Plugins>> {
  const { plugins: entries = [], storage, from, logger, types, collections, ...client } = options
  const plugins = startOrder(checkPlugins(entries))
  checkTokens(plugins)
  checkOverrides(plugins)
  const plan: Plan = {
    plugins,
    types: gatherTypes(plugins, types ?? []),
    collections: gatherCollections(plugins, collections ?? []),
  }
  await checkOptions(plugins)
  const parts = replaceParts(plugins, {
    storage: typeof storage === 'string' ? await storageFromUrl(storage, from) : checkStorage(storage),
    clock: client.clock ?? Date.now,
    ids: client.generateId ?? generateId,
    logger: logger ?? silentLogger,
  })
  return (await start(plan, parts, client)) as App<Plugins>
}

async function start(plan: Plan, parts: Parts, client: Partial<MinionsOptions>): Promise<Minions> {
  const { plugins, types, collections } = plan
  const events = client.events ?? new TypedEmitter<MinionsEvents>()
  const wiring = new Wiring()
  const running = new RunningPlugins(wiring)
  const onChange = changeHook(plugins)
  const onLink = linkHook(plugins)
  let close = (): Promise<void> => Promise.resolve()
  const minions = await Minions.open({
    ...client,
    types,
    collections,
    events,
    storage: parts.storage,
    clock: parts.clock,
    generateId: parts.ids,
    logger: parts.logger,
    ...(onChange && { onChange }),
    ...(onLink && { onLink }),
    extendTransaction: (txClient, tx) => {
      running.join(txClient, tx)
      Object.defineProperty(txClient, 'close', { value: () => close() })
    },
  })
  const closeStore = minions.close.bind(minions)
  close = () => running.close(closeStore)
  Object.defineProperty(minions, 'close', { value: () => close() })

  wiring.provide(HOST, tokens.storage, parts.storage)
  wiring.provide(HOST, tokens.types, minions.registry)
  wiring.provide(HOST, tokens.events, events)
  wiring.provide(HOST, tokens.clock, parts.clock)
  wiring.provide(HOST, tokens.ids, parts.ids)
  wiring.provide(HOST, tokens.logger, parts.logger)
  const context = { minions, storage: minions.storage, types: minions.registry, events, log: parts.logger }
  try {
    for (const plugin of plugins) {
      const value = await running.start(plugin, context)
      Object.defineProperty(minions, plugin.namespace, { value, enumerable: true })
    }
  } catch (error) {
    // What fails to stop now is worth knowing, but it is not what went wrong.
    await close().catch((problem: unknown) =>
      parts.logger.error('An app that failed to start did not stop.', { problem }),
    )
    throw error
  }
  return minions
}

/** One hook for all plugins that take part in changes, in start order. */
function changeHook(plugins: readonly Plugin[]): OnChange | undefined {
  const takingPart = plugins.filter((plugin) => plugin.onChange !== undefined)
  if (takingPart.length === 0) return undefined
  return async (change, tx) => {
    for (const plugin of takingPart) await plugin.onChange?.(change, tx)
  }
}

/** One hook for all plugins that take part in linking, in start order. */
function linkHook(plugins: readonly Plugin[]): OnLink | undefined {
  const takingPart = plugins.filter((plugin) => plugin.onLink !== undefined)
  if (takingPart.length === 0) return undefined
  return async (relation, tx) => {
    for (const plugin of takingPart) await plugin.onLink?.(relation, tx)
  }
}
