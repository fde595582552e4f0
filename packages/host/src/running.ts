import { isMinionsError, type MinionsAccess, MinionsError, messageOf } from '@minions/core'
import { CATALOGUE, type OperationCatalogue } from '@minions/core/operations'
import { type Plugin, tokens } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { joinCatalogue } from './catalogue.js'
import type { Container } from './container.js'
import { resolveDependencies, resolveJoined } from './dependencies.js'
import { hostError, setupFailed } from './errors.js'
import { pluginKey } from './services.js'

interface Failure {
  readonly plugin: string
  readonly error: unknown
}

/** The plugins of one app that have started, in start order. */
export class RunningPlugins {
  readonly #container: Container
  readonly #started: { readonly plugin: Plugin; readonly api: unknown }[] = []
  /** Names of the plugins that take part in transactions. */
  readonly #joining = new Set<string>()
  #closing: Promise<void> | undefined
  /** The operations of the app, once all plugins have started. */
  catalogue: OperationCatalogue | undefined

  constructor(container: Container) {
    this.#container = container
  }

  /** Starts a plugin and returns its API. Throws `SETUP_FAILED`. */
  async start(plugin: Plugin): Promise<unknown> {
    const { name } = plugin.ref
    let api: unknown
    try {
      api = await plugin.setup(resolveDependencies(this.#container, name, plugin.deps))
    } catch (cause) {
      // The service of another plugin, created for this one, already names that plugin.
      throw hostError.is(cause, 'SETUP_FAILED') ? cause : setupFailed(name, 'failed to start', cause)
    }
    this.#started.push({ plugin, api })
    this.#container.register(pluginKey(name), () => api)
    if (plugin.join) this.#joining.add(name)
    return api
  }

  /**
   * Adds the namespaces of participating plugins to the client of a transaction. The transaction is a child container,
   * created with the first namespace that is used. Returns a function that ends it.
   */
  join(client: MinionsAccess, store: StoreTransaction): () => void {
    let child: Container | undefined
    let hasEnded = false
    const container = () => {
      child ??= this.#transactionContainer(client, store)
      return child
    }
    Object.defineProperty(client, CATALOGUE, {
      get: () => this.catalogue && joinCatalogue(this.catalogue, container, store),
    })
    for (const { plugin } of this.#started) {
      if (!plugin.join) continue
      const { name, namespace } = plugin.ref
      Object.defineProperty(client, namespace, {
        enumerable: true,
        get: () => {
          if (hasEnded) throw transactionEnded(plugin)
          return container().resolve(pluginKey(name))
        },
      })
    }
    return () => {
      hasEnded = true
    }
  }

  #transactionContainer(client: MinionsAccess, store: StoreTransaction): Container {
    const child = this.#container.createChild()
    child.register(tokens.client.name, () => client)
    child.register(tokens.store.name, () => store)
    for (const { plugin, api } of this.#started) {
      if (!plugin.join) continue
      child.register(pluginKey(plugin.ref.name), () => {
        try {
          return plugin.join?.(api, resolveJoined(child, plugin, this.#joining))
        } catch (cause) {
          if (isMinionsError(cause)) throw cause
          throw joinFailed(plugin, cause)
        }
      })
    }
    return child
  }

  /** Stops everything, last started first, then closes the store. Calling it again waits for the same shutdown. */
  close(closeStore: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#stop(closeStore)
    return this.#closing
  }

  async #stop(closeStore: () => Promise<void>): Promise<void> {
    const failures: Failure[] = []
    for (const { plugin, api } of this.#started.toReversed()) {
      try {
        await plugin.dispose?.(api)
      } catch (error) {
        failures.push({ plugin: plugin.ref.name, error })
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
}

function transactionEnded({ ref: { name, namespace } }: Plugin): Error {
  const message = `The transaction has ended, and with it "${namespace}" of the plugin "${name}"; use app.${namespace}, or a new transaction.`
  return new MinionsError('CLOSED', message, { details: { plugins: [name], namespace } })
}

function joinFailed({ ref: { name } }: Plugin, cause: unknown): Error {
  return hostError('JOIN_FAILED', `The plugin "${name}" failed to take part in a transaction: ${messageOf(cause)}`, {
    details: { plugins: [name] },
    cause,
  })
}

function disposeFailed(failures: readonly Failure[]): Error {
  const plugins = [...new Set(failures.map(({ plugin }) => plugin))]
  const list = failures.map(({ plugin, error }) => `${plugin}: ${messageOf(error)}`).join('; ')
  return hostError('DISPOSE_FAILED', `Some plugins failed to stop; all others were stopped. ${list}`, {
    details: { plugins },
    cause: new AggregateError(
      failures.map(({ error }) => error),
      list,
    ),
  })
}
