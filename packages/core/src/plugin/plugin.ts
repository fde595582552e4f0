import type { TSchema } from 'typebox'
import type { MinionChange } from '../client/change.js'
import type { DeriveMinion } from '../client/derive.js'
import type { MinionsEvents } from '../client/events.js'
import type { Minions } from '../client/minions.js'
import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'
import { takeOptions } from '../errors/take.js'
import type { TypedEmitter } from '../events/typed-emitter.js'
import type { MinionType } from '../schemas/minion-type.js'
import type { Relation } from '../schemas/relation.js'
import type { StoreAccess, StoreTransaction } from '../storage/access.js'
import type { Collection } from '../storage/collection.js'
import type { TypeRegistry } from '../types/type-registry.js'
import type { Logger } from './logger.js'
import type { Token } from './token.js'

const brand = Symbol.for('@minions/plugin')

/** What a plugin works with. It sees what it asks for and nothing else. */
export interface PluginContext {
  /** The client, for plugins whose records are minions. */
  readonly minions: Minions
  /** The store, for collections that the plugin declared. */
  readonly storage: StoreAccess
  readonly types: TypeRegistry
  readonly events: TypedEmitter<MinionsEvents>
  /** A logger that carries the plugin's name. */
  readonly log: Logger
  /** What stands behind a token. Throws when nobody provides it. */
  resolve<T>(token: Token<T>): T
  /** Offers something to the plugins that require this one. A second provider of a token is refused. */
  provide<T>(token: Token<T>, value: T): void
  /** Replaces what another plugin provides, as long as nobody has resolved it; `replace` gets what was there. */
  override<T>(token: Token<T>, replace: (previous: T) => T): void
  /** Called when the app is closed, last registered first, before the plugin's own `dispose`. */
  onDispose(callback: () => void | Promise<void>): void
}

/** A transaction as a plugin takes part in it. */
export interface PluginTransaction {
  /** The client of this transaction. */
  readonly minions: Minions
  readonly storage: StoreTransaction
}

/** A type that a plugin brings, alone or with what the plugin adds to it. */
export type PluginType =
  | MinionType
  | {
      readonly type: MinionType
      /** Id of a type whose slug this one answers to from now on. */
      readonly takesSlugOf?: string | undefined
      /** Completes every minion of the type before it is written; imports take records as they are. */
      readonly derive?: DeriveMinion | undefined
    }

/** A replacement made before the store is opened; see `override`. */
export interface EarlyOverride {
  readonly token: Token<unknown>
  readonly replace: (previous: unknown) => unknown
}

/** Replaces `tokens.storage`, `clock`, `ids` or `logger` before the store is opened; `replace` gets what was there. */
export const override = guarded('override', overrideUnchecked)

function overrideUnchecked<T>(token: Token<T>, replace: (previous: T) => T): EarlyOverride {
  return Object.freeze({ token, replace: replace as EarlyOverride['replace'] })
}

/** What `definePlugin` takes. */
export interface PluginDefinition<Namespace extends string = string, Api = unknown> {
  /** The name of the package, e.g. `@minions/prompts`. */
  readonly name: string
  /** Where the API appears on the app, e.g. `prompts`. */
  readonly namespace: Namespace
  /** Semantic version of the plugin. */
  readonly version: string
  /** Plugins that must be there and start before this one: `name` or `name@range`. */
  readonly requires?: readonly string[]
  readonly types?: readonly PluginType[]
  readonly collections?: readonly Collection[]
  /** Options as the user gave them, and the schema they must fit. */
  readonly options?: { readonly schema: TSchema; readonly value: unknown }
  /** What `setup` will provide. Declared here, a clash is found before anything is opened. */
  readonly provides?: readonly Token<unknown>[]
  /** Replacements that must be made before the store is opened, each made by `override`. */
  readonly overrides?: readonly EarlyOverride[]
  /** Starts the plugin and returns its API. */
  setup(context: PluginContext): Api | Promise<Api>
  /** The API as part of a transaction. Without it, using the namespace inside a transaction is refused. */
  join?(api: Api, transaction: PluginTransaction): Api
  /**
   * Called for every change of a minion, inside its transaction: what is written through `tx` is committed with it, and
   * throwing undoes it. May be called before `setup`, when opening the store finishes an evolution.
   */
  onChange?(change: MinionChange, tx: StoreTransaction): void | Promise<void>
  /** Called for every new relation, inside its transaction; throwing undoes it. Imports take relations as they are. */
  onLink?(relation: Relation, tx: StoreTransaction): void | Promise<void>
  /** Stops the plugin. */
  dispose?(api: Api): void | Promise<void>
}

/** A plugin: a plain object, made by `definePlugin`. */
export interface Plugin<Namespace extends string = string, Api = unknown> extends PluginDefinition<Namespace, Api> {
  readonly [brand]: true
}

/** Makes a plugin. The host checks it against the others when an app starts. */
export const definePlugin = guarded('definePlugin', definePluginUnchecked)

function definePluginUnchecked<const Namespace extends string, Api>(
  definition: PluginDefinition<Namespace, Api>,
): Plugin<Namespace, Api> {
  return Object.freeze({ ...takeOptions('A plugin', definition), [brand]: true as const })
}

/** True for plugins made by any copy of this package. */
export function isPlugin(value: unknown): value is Plugin {
  return hasBrand(value, brand)
}
