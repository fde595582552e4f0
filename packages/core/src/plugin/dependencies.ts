import type { MinionsAccess } from '../client/minions-access.js'
import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'
import type { StoreTransaction } from '../storage/access.js'
import type { Contributed, ExtensionPoint } from './extension-point.js'
import type { PluginRef } from './plugin-ref.js'
import type { Token, TokenValue } from './token.js'
import type { tokens } from './tokens.js'

const brand = Symbol.for('@minions/optional')

/** Anything a plugin or an operation can depend on. */
export type Dependency = PluginRef | Token<unknown> | ExtensionPoint<never> | Optional<PluginRef | Token<unknown>>

/** A dependency that may be missing; created by `optional`. */
export interface Optional<D extends PluginRef | Token<unknown>> {
  readonly kind: 'optional'
  readonly optional: D
}

/** Dependencies by the name under which `setup` receives them. */
export type Dependencies = Readonly<Record<string, Dependency>>

/** Marks a dependency as optional: if it is missing, `setup` receives `undefined`. */
export const optional = guarded('optional', <D extends PluginRef | Token<unknown>>(dependency: D): Optional<D> => {
  return Object.freeze({ kind: 'optional', optional: dependency, [brand]: true })
})

/** True for values created by `optional` of any copy of this package. */
export function isOptional(value: unknown): value is Optional<PluginRef | Token<unknown>> {
  return hasBrand(value, brand)
}

/** The instance behind a dependency outside transactions. */
type Resolved<D> =
  D extends PluginRef<string, string, infer Api, infer _>
    ? Api
    : D extends ExtensionPoint<infer T>
      ? readonly Contributed<T>[]
      : D extends Optional<infer Inner>
        ? Resolved<Inner> | undefined
        : TokenValue<D>

/** The instance behind a dependency inside a transaction. */
type Joined<D> =
  D extends PluginRef<string, string, infer _, infer Transaction>
    ? Transaction
    : D extends Optional<infer Inner>
      ? Joined<Inner> | undefined
      : D extends typeof tokens.client
        ? MinionsAccess
        : D extends typeof tokens.store
          ? StoreTransaction
          : Resolved<D>

/** What `setup` receives for the dependencies of a plugin: the same names, with the instance behind each. */
export type ResolvedDependencies<Deps> = { readonly [Name in keyof Deps]: Resolved<Deps[Name]> }

/** The same inside a transaction: client, store and plugins are those of the transaction. */
export type JoinedDependencies<Deps> = {
  readonly [Name in keyof Deps as [Joined<Deps[Name]>] extends [never] ? never : Name]: Joined<Deps[Name]>
}
