import {
  isMinionsError,
  type Minions,
  MinionsError,
  type Plugin,
  type PluginContext,
  type StoreTransaction,
} from '@minions/core'
import { type HOST_ERROR_CODES, hostError } from './errors.js'
import type { Wiring } from './wiring.js'

interface Running {
  readonly plugin: Plugin
  readonly callbacks: (() => void | Promise<void>)[]
  /** There once its setup has succeeded. */
  started?: { readonly api: unknown }
}

interface Failure {
  readonly plugin: string
  readonly error: unknown
}

/** What a plugin's context has that is the same for all plugins. */
export type SharedContext = Pick<PluginContext, 'minions' | 'storage' | 'types' | 'events' | 'log'>

/** The plugins of one app that have started, in the order in which they did. */
export class RunningPlugins {
  readonly #running: Running[] = []
  readonly #wiring: Wiring
  #closing: Promise<void> | undefined

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  /** Starts a plugin and returns its API. Throws `SETUP_FAILED`, or what is wrong with its tokens. */
  async start(plugin: Plugin, shared: SharedContext): Promise<unknown> {
    const running: Running = { plugin, callbacks: [] }
    // Even if its setup fails, the callbacks that it registered until then are called.
    this.#running.push(running)
    try {
      const api = await plugin.setup(this.#contextOf(running, shared))
      running.started = { api }
      return api
    } catch (cause) {
      if (isWiringError(cause)) throw cause
      throw hostError('SETUP_FAILED', `The plugin "${plugin.name}" failed to start: ${messageOf(cause)}`, {
        details: { plugins: [plugin.name] },
        cause,
      })
    }
  }

  /** Gives the client of a transaction the namespaces of all plugins, each joined when it is first touched. */
  join(minions: Minions, storage: StoreTransaction): void {
    for (const { plugin, started } of this.#running) {
      if (!started) continue
      const property = { configurable: true, enumerable: false }
      const get = () => {
        if (!plugin.join) throw cannotJoin(plugin)
        const value = plugin.join(started.api, { minions, storage })
        Object.defineProperty(minions, plugin.namespace, { ...property, value })
        return value
      }
      Object.defineProperty(minions, plugin.namespace, { ...property, get })
    }
  }

  /** Stops everything, last started first, then closes the store. Calling it again waits for the same. */
  close(closeStore: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#stop(closeStore)
    return this.#closing
  }

  async #stop(closeStore: () => Promise<void>): Promise<void> {
    const failures: Failure[] = []
    for (const { plugin, started, callbacks } of this.#running.toReversed()) {
      for (const callback of [...callbacks.toReversed(), () => started && plugin.dispose?.(started.api)]) {
        try {
          await callback()
        } catch (error) {
          failures.push({ plugin: plugin.name, error })
        }
      }
    }
    try {
      await closeStore()
    } catch (error) {
      if (failures.length === 0) throw error
      failures.push({ plugin: 'the store', error })
    }
    if (failures.length > 0) throw disposeFailed(failures)
  }

  #contextOf({ plugin, callbacks }: Running, shared: SharedContext): PluginContext {
    const { name } = plugin
    return {
      ...shared,
      log: shared.log.child({ plugin: name }),
      resolve: (token) => this.#wiring.resolve(name, token),
      provide: (token, value) => this.#wiring.provide(name, token, value),
      override: (token, replace) => this.#wiring.override(name, token, replace),
      onDispose: (callback) => void callbacks.push(callback),
    }
  }
}

const wiringCodes: readonly string[] = [
  'TOKEN_CLASH',
  'TOKEN_MISSING',
  'TOKEN_IN_USE',
  'OVERRIDE_INVALID',
] satisfies (keyof typeof HOST_ERROR_CODES)[]

/** These name the plugins already, so they need no other error around them. */
function isWiringError(error: unknown): boolean {
  return isMinionsError(error) && wiringCodes.includes(error.code)
}

function cannotJoin({ name, namespace }: Plugin): Error {
  return new MinionsError(
    'CAPABILITY_MISSING',
    `The plugin "${name}" cannot take part in a transaction; use "${namespace}" outside of it.`,
    { details: { plugins: [name], namespace } },
  )
}

function disposeFailed(failures: readonly Failure[]): Error {
  const plugins = [...new Set(failures.map(({ plugin }) => plugin))]
  const list = failures.map(({ plugin, error }) => `${plugin}: ${messageOf(error)}`).join('; ')
  return hostError('DISPOSE_FAILED', `Not everything stopped as it should; the rest did. ${list}`, {
    details: { plugins },
    cause: new AggregateError(
      failures.map(({ error }) => error),
      list,
    ),
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
