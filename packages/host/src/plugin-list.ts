import type { Minions, MinionsAccess } from '@minions/core'
import type { clientOperations, Operation } from '@minions/core/operations'
import type { ApiOf, Plugin, PluginRef, TransactionOf } from '@minions/core/plugin'

/** An entry of a plugin list; `flag && plugin()` may leave one out. */
export type PluginEntry = Plugin | false | null | undefined | 0 | ''

type RefOf<P> = P extends Plugin<infer Ref, infer _D, infer _T, infer _C> ? Ref : never

type NameOf<P> = RefOf<P>['name']

/** Names of the plugins that a plugin cannot do without. */
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

/** What a list must be besides a list: nothing, or something that it cannot be because it lacks a required plugin. */
export type Complete<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? unknown
  : [Exclude<RequiredNames<Plugins[number]>, NameOf<Plugins[number]>>] extends [never]
    ? unknown
    : MissingPlugin<Exclude<RequiredNames<Plugins[number]>, NameOf<Plugins[number]>>>

/** One namespace with what stands behind it, or `undefined` too where it may be missing. */
interface Entry<Namespace extends string, Api, Transaction> {
  readonly namespace: Namespace
  readonly api: Api
  readonly transaction: Transaction
}

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** A namespace that the client has itself is refused at start-up; until then it stays the client's. */
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

/** Distributes over a choice of plugins: each of them is an entry of its own. */
type EachEntry<P, Missing> = P extends Plugin ? EntryOf<P, Missing> : never

/** `false | Plugin`, or a choice of plugins, is a union: each of them may be missing. So may what an array can hold. */
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

/** All maps of a union as one. */
type Together<Union> = (Union extends unknown ? (map: Union) => void : never) extends (map: infer All) => void
  ? All
  : never

/** Types that the plugins of a list provide, by slug. Of a list whose length is not known, none may be relied on. */
export type PluginTypes<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? unknown
  : Together<TypesOf<Plugins[number]>>

/** A transaction inside a transaction is the same one. Comes first, so that the compiler takes it for `transaction`. */
interface Nested<Plugins extends readonly PluginEntry[]> {
  transaction<T>(work: (tx: Tx<Plugins>) => Promise<T>): Promise<T>
}

/** What `transaction` hands to its work: the transactional part of the client, with that of the plugins. */
export type Tx<Plugins extends readonly PluginEntry[] = readonly []> = Nested<Plugins> &
  MinionsAccess<PluginTypes<Plugins>> &
  TransactionNamespaces<Plugins>

type OperationsIn<P> =
  P extends Plugin<infer _R, infer _D, infer _T, infer Contributed> ? Extract<Contributed[number], Operation> : never

type ByName<Op extends Operation> = { readonly [One in Op as One['name']]: One }

/** Operations of the client and of the plugins of a list, by name. Of a list whose length is not known, the client's. */
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
