/// <reference lib="esnext.disposable" preserve="true" />
import { callingBack, guardMethods } from '../errors/guard.js'
import { type Listener, TypedEmitter } from '../events/typed-emitter.js'
import { generateId, type IdSource } from '../ids.js'
import { type Logger, silentLogger } from '../plugin/logger.js'
import type { PluginType } from '../plugin/plugin-type.js'
import type { StorageBackend } from '../storage/backend.js'
import type { Collection } from '../storage/collection.js'
import { Store, type StoreOptions } from '../storage/store.js'
import type { Clock } from '../time/clock.js'
import type { TypesIn } from '../types/type-map.js'
import { TypeRegistry } from '../types/type-registry.js'
import { type ImportReport, importBundle } from './bundles/import.js'
import type { BundleSource } from './bundles/lines.js'
import type { ChangeHooks } from './changes/change.js'
import {
  type ClientChange,
  type ClientChangePage,
  type ClientChangePageQuery,
  ClientFeed,
  type ClientFollowOptions,
} from './changes/client-changes.js'
import { clientCollections } from './collections.js'
import { takeOpenOptions } from './door.js'
import type { MinionsEvents } from './events.js'
import { evolveToCode, finishEvolutions } from './evolution/evolve-on-open.js'
import type { Middleware } from './middleware.js'
import { MinionsAccess, type Shared } from './minions-access.js'
import type { Session } from './session.js'
import { checkOnTypeDiffers, type OnTypeDiffers, typeDiffers } from './types/type-differences.js'
import { TypeState } from './types/type-state.js'
import { loadTypes } from './types/type-store.js'

export interface MinionsOptions<Types extends readonly PluginType[] = readonly PluginType[]>
  extends StoreOptions,
    ChangeHooks {
  readonly storage: StorageBackend
  /** Types besides the built-in ones; new ones are stored. */
  readonly types?: Types
  /**
   * Policy for a type given here that is stored with a different schema. `keep`, the default, uses the stored one and
   * logs it; `evolve` evolves the stored one to the given one, with its `transform`; `fail` refuses to open with
   * `TYPE_DIFFERS`.
   */
  readonly onTypeDiffers?: OnTypeDiffers
  /** Logs problems with the store that do not prevent it from opening. Default: no log. */
  readonly logger?: Logger
  /** Wraps every operation, first outermost. */
  readonly middleware?: readonly Middleware[]
  readonly clock?: Clock
  readonly generateId?: IdSource
  /** Collections of plugins, opened together with the client's own. */
  readonly collections?: readonly Collection[]
  /** The emitter that calls listeners. Default: a new one. */
  readonly events?: TypedEmitter<MinionsEvents>
  /** Extends the client of a transaction, e.g. with plugin namespaces; returns a function to call when it ends. */
  readonly extendTransaction?: NonNullable<Shared['extendTransaction']>
}

/** The client of a store. `Tx` is what `transaction` passes to `work`; an app adds the namespaces of its plugins. */
export class Minions<
  Extra = unknown,
  Tx extends MinionsAccess<Extra> = MinionsAccess<Extra>,
> extends MinionsAccess<Extra> {
  readonly #session: Session
  readonly #shared: Shared
  readonly #feed: ClientFeed

  protected constructor(session: Session, shared: Shared) {
    super(session, shared)
    this.#session = session
    this.#shared = shared
    this.#feed = new ClientFeed(session, shared.store)
  }

  /** Opens a store, finishing an evolution that a crash interrupted. */
  static async open<const Types extends readonly PluginType[] = readonly []>(
    given: MinionsOptions<Types>,
  ): Promise<Minions<TypesIn<Types>>> {
    const options = takeOpenOptions(given)
    const { storage, types, collections, onTypeDiffers = 'keep', logger = silentLogger } = options
    checkOnTypeDiffers(onTypeDiffers)
    const registry = new TypeRegistry()
    const declared: readonly Collection[] = [...clientCollections, ...collections]
    const store = await Store.open(storage, declared, options)
    try {
      const session: Session = {
        store,
        types: new TypeState(registry, storage.capabilities.shared),
        clock: options.clock ?? Date.now,
        generateId: options.generateId ?? generateId,
        events: options.events ?? new TypedEmitter(),
        onChange: options.onChange && callingBack(options.onChange),
        onLink: options.onLink && callingBack(options.onLink),
        onUnlink: options.onUnlink && callingBack(options.onUnlink),
        onImport: options.onImport && callingBack(options.onImport),
        conversions: new Map(),
        derive: new Map(
          types.flatMap((entry) => ('type' in entry && entry.derive ? [[entry.type.id, entry.derive]] : [])),
        ),
      }
      const differing = await loadTypes(session, store, types, onTypeDiffers)
      const problems = await finishEvolutions(session)
      if (onTypeDiffers === 'evolve') await evolveToCode(session, differing, logger)
      else problems.push(...differing.map(typeDiffers))
      for (const { message, details } of problems) logger.warn(message, details)
      const { middleware, extendTransaction } = options
      return new Minions<TypesIn<Types>>(session, {
        store,
        collections: declared,
        middleware,
        problems,
        extendTransaction,
      })
    } catch (error) {
      await store.close()
      throw error
    }
  }

  // By now the host's extension has turned the client into a `Tx`.
  override transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return super.transaction(work as (tx: MinionsAccess<Extra>) => Promise<T>)
  }

  /** Imports a bundle, all or nothing. Throws `INVALID_BUNDLE` with the invalid line. */
  async importBundle(source: BundleSource): Promise<ImportReport> {
    return importBundle(this.#session, this.#shared.store, this.#shared.collections, source)
  }

  /**
   * Follows what is committed to the store, by any process: minions, relations and types by default, every change once,
   * in order per record. Ends when the iteration is left, its signal aborts or the client is closed. Keep the `cursor`
   * of the last change you processed, and resume from it after a restart. Throws `CAPABILITY_MISSING`,
   * `INVALID_CURSOR`, `NOT_FOUND` for an unknown type, and `CHANGES_EXPIRED` for a cursor older than what the backend
   * keeps.
   */
  changes(options?: ClientFollowOptions): AsyncIterableIterator<ClientChange, undefined> {
    return this.#feed.changes(options)
  }

  /** Like `changes`, in pages; pages without a selected change are included, to report the position of the feed. */
  changePages(options?: ClientFollowOptions): AsyncIterableIterator<ClientChangePage, undefined> {
    return this.#feed.pages(options)
  }

  /** One page of the change feed, without waiting; pass its `cursor` as the next `since`. See `changes`. */
  listChanges(query?: ClientChangePageQuery): Promise<ClientChangePage> {
    return this.#feed.list(query)
  }

  /** Calls a listener after every such change; returns a function that removes it. */
  on<Name extends keyof MinionsEvents>(event: Name, listener: Listener<MinionsEvents[Name]>): () => void {
    return this.#session.events.on(event, listener)
  }

  /** Waits for operations in progress and closes the store; later calls throw `CLOSED`. Closing twice is allowed. */
  close(): Promise<void> {
    return this.#shared.store.close()
  }

  /** Closes the client, for `await using app = …` where Node supports it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

guardMethods(Minions, { callsBack: true, anyLength: ['importBundle'] })
