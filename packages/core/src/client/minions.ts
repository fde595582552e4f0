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
import { type ImportReport, importBundle } from './bundle-import.js'
import type { BundleSource } from './bundle-lines.js'
import type { OnChange, OnImport, OnLink, OnUnlink } from './change.js'
import {
  type ClientChange,
  type ClientChangePage,
  type ClientChangePageQuery,
  ClientFeed,
  type ClientFollowOptions,
} from './client-changes.js'
import { clientCollections } from './collections.js'
import { takeOpenOptions } from './door.js'
import type { MinionsEvents } from './events.js'
import { evolveToCode, finishEvolutions } from './evolve-on-open.js'
import type { Middleware } from './middleware.js'
import { MinionsAccess, type Shared } from './minions-access.js'
import type { Session } from './session.js'
import { checkOnTypeDiffers, type OnTypeDiffers, typeDiffers } from './type-differences.js'
import { TypeState } from './type-state.js'
import { loadTypes } from './type-store.js'

export interface MinionsOptions<Types extends readonly PluginType[] = readonly PluginType[]> extends StoreOptions {
  readonly storage: StorageBackend
  /** Types to have besides the built-in ones; new ones are stored. */
  readonly types?: Types
  /**
   * What to do when a type given here is stored with another schema. `keep`, the default, uses the stored one and logs it;
   * `evolve` evolves the stored one to the one given, with its `transform`; `fail` refuses to open with `TYPE_DIFFERS`.
   */
  readonly onTypeDiffers?: OnTypeDiffers
  /** Where the client logs what is wrong with the store but does not keep it from opening; nowhere unless given. */
  readonly logger?: Logger
  /** Wraps every operation, first outermost. */
  readonly middleware?: readonly Middleware[]
  readonly clock?: Clock
  readonly generateId?: IdSource
  /** Collections of plugins, to be opened together with the client's own. */
  readonly collections?: readonly Collection[]
  /** Where listeners are called; a new emitter unless given. */
  readonly events?: TypedEmitter<MinionsEvents>
  /** Takes part in the transaction of every change of a minion. */
  readonly onChange?: OnChange
  /** Takes part in the transaction of every new relation. */
  readonly onLink?: OnLink
  /** Takes part in the transaction of every removal of a relation. */
  readonly onUnlink?: OnUnlink
  /** Takes part in the transaction of every import. */
  readonly onImport?: OnImport
  /** Adds to the client that a transaction hands out, e.g. the namespaces of plugins; returns what to call at its end. */
  readonly extendTransaction?: NonNullable<Shared['extendTransaction']>
}

/** The client of a store. `Tx` is what `transaction` hands to its work; an app adds the namespaces of its plugins. */
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

  // The host's extension has made a `Tx` of the client by then.
  override transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return super.transaction(work as (tx: MinionsAccess<Extra>) => Promise<T>)
  }

  /** Takes a bundle in, whole or not at all. Throws `INVALID_BUNDLE` with the line that is wrong. */
  async importBundle(source: BundleSource): Promise<ImportReport> {
    return importBundle(this.#session, this.#shared.store, this.#shared.collections, source)
  }

  /**
   * Follows what is committed to the store, by whichever process: minions, relations and types unless asked otherwise, every
   * change once and in the order of each record. Ends when the iteration is left, its signal aborts or the client is
   * closed. Keep the `cursor` of the last change you dealt with, and go on from it after a restart. Throws
   * `CAPABILITY_MISSING`, `INVALID_CURSOR`, `NOT_FOUND` for an unknown type, and `CHANGES_EXPIRED` where a cursor is older
   * than what the backend keeps.
   */
  changes(options?: ClientFollowOptions): AsyncIterableIterator<ClientChange, undefined> {
    return this.#feed.changes(options)
  }

  /** Like `changes`, in pages: also those without a wanted change, to tell where the feed goes on. */
  changePages(options?: ClientFollowOptions): AsyncIterableIterator<ClientChangePage, undefined> {
    return this.#feed.pages(options)
  }

  /** A page of the change feed, as it is now; pass its `cursor` as the next `since`. See `changes`. */
  listChanges(query?: ClientChangePageQuery): Promise<ClientChangePage> {
    return this.#feed.list(query)
  }

  /** Calls a listener after every such change; returns the function that stops it. */
  on<Name extends keyof MinionsEvents>(event: Name, listener: Listener<MinionsEvents[Name]>): () => void {
    return this.#session.events.on(event, listener)
  }

  /** Waits for what is under way and closes the store. Closing twice is fine; using the client afterwards is `CLOSED`. */
  close(): Promise<void> {
    return this.#shared.store.close()
  }

  /** Closes, for `await using app = …` where Node has that. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

guardMethods(Minions, { callsBack: true, anyLength: ['importBundle'] })
