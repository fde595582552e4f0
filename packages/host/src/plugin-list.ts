import type { Minions, MinionsAccess } from '@minions/core'
import type { clientOperations, Operation } from '@minions/core/operations'
import type { ApiOf, Plugin, PluginRef, TransactionOf } from '@minions/core/plugin'

/** An entry of a plugin list; `flag && plugin()` may skip one. */
export type PluginEntry = Plugin | false | null | undefined | 0 | ''

type RefOf<P> = P extends Plugin<infer Ref, infer _D, infer _T, infer _C> ? Ref : never

type NameOf<P> = RefOf<P>['name']

/** Names of the plugins that a plugin requires. */
type RequiredNames<P> =
  P extends Plugin<infer _R, infer Deps, infer _T, infer _C>
    ? {
        [K in keyof Deps]: Deps[K] extends PluginRef<infer Name, infer _N, infer _A, infer _X> ? Name : never
      }[keyof Deps]
    : never

/** The compiler shows the name of this type, and so the plugins, when a list lacks some. */
export interface MissingPlugin<Name extends string> {
  readonly 'missing in `plugins`': Name
}

/** The additional constraint on a list: none, or one that cannot be satisfied because a required plugin is missing. */
export type Complete<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? unknown
  : [Exclude<RequiredNames<Plugins[number]>, NameOf<Plugins[number]>>] extends [never]
    ? unknown
    : MissingPlugin<Exclude<RequiredNames<Plugins[number]>, NameOf<Plugins[number]>>>

/** One namespace with its API, or also `undefined` where the plugin may be missing. */
interface Entry<Namespace extends string, Api, Transaction> {
  readonly namespace: Namespace
  readonly api: Api
  readonly transaction: Transaction
}

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** A namespace that the client itself has is refused at start-up; until then it remains the client's. */
type EntryOf<P, Missing> =
  RefOf<P> extends infer Ref extends PluginRef
    ? string extends Ref['namespace']
      ? never
      : Ref['namespace'] extends keyof Minions
        ? never
        : Entry<
            Ref['namespace'],
            ApiOf<Ref> | Missing,
            [TransactionOf<Ref>] extends [never] ? never : TransactionOf<Ref> | Missing
          >
    : never

/** Distributes over a choice of plugins: each of them is a separate entry. */
type EachEntry<P, Missing> = P extends Plugin ? EntryOf<P, Missing> : never

/**
 * `false | Plugin`, or a choice of plugins, is a union: each of them may be missing. So may the elements of an array.
 */
type EntriesOf<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? EachEntry<Plugins[number], undefined>
  : { [I in keyof Plugins]: EachEntry<Plugins[I], true extends IsUnion<Plugins[I]> ? undefined : never> }[number]

/** One property for each plugin of a list: its namespace, with its API. */
export type Namespaces<Plugins extends readonly PluginEntry[]> = {
  readonly [E in EntriesOf<Plugins> as E['namespace']]: E['api']
}

/** One property for each plugin that takes part in transactions: its namespace, with what it offers there. */
export type TransactionNamespaces<Plugins extends readonly PluginEntry[]> = {
  readonly [E in EntriesOf<Plugins> as [E['transaction']] extends [never] ? never : E['namespace']]: E['transaction']
}

type TypesOf<P> = P extends Plugin<infer _R, infer _D, infer Types, infer _C> ? Types : never

/** Merges the maps of a union. */
type Together<Union> = (Union extends unknown ? (map: Union) => void : never) extends (map: infer All) => void
  ? All
  : never

/** Types that the plugins of a list provide, by slug. For a list of unknown length, none can be relied on. */
export type PluginTypes<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? unknown
  : Together<TypesOf<Plugins[number]>>

/** A nested transaction is part of the outer one. Comes first, so that the compiler uses it for `transaction`. */
interface Nested<Plugins extends readonly PluginEntry[]> {
  transaction<T>(work: (tx: Tx<Plugins>) => Promise<T>): Promise<T>
}

/** What `transaction` passes to `work`: the transactional part of the client, with that of the plugins. */
export type Tx<Plugins extends readonly PluginEntry[] = readonly []> = Nested<Plugins> &
  MinionsAccess<PluginTypes<Plugins>> &
  TransactionNamespaces<Plugins>

type OperationsIn<P> =
  P extends Plugin<infer _R, infer _D, infer _T, infer Contributed> ? Extract<Contributed[number], Operation> : never

type ByName<Op extends Operation> = { readonly [One in Op as One['name']]: One }

/** Operations of the client and of the plugins of a list, by name. For a list of unknown length, only the client's. */
export type AppOperations<Plugins extends readonly PluginEntry[]> = ByName<
  (typeof clientOperations)[number] | (number extends Plugins['length'] ? never : OperationsIn<Plugins[number]>)
>

/** For the compiler only: the operations of an app, from which typed clients of a server are inferred. */
export interface CarriedOperations<Plugins extends readonly PluginEntry[]> {
  readonly '~operations'?: AppOperations<Plugins>
}

/** The client with the namespaces of a list of plugins. */
export type App<Plugins extends readonly PluginEntry[] = readonly []> = Minions<PluginTypes<Plugins>, Tx<Plugins>> &
  Namespaces<Plugins> &
  CarriedOperations<Plugins>
