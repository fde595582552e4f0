import type { Minions, Plugin } from '@minions/core'

/** An entry of a plugin list; `flag && plugin()` may leave one out. */
export type PluginEntry = Plugin | false | null | undefined | 0 | ''

/** One namespace with its API, or `undefined` too where it may be missing. */
interface Entry<Namespace extends string, Api> {
  readonly namespace: Namespace
  readonly api: Api
}

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** A namespace that the client has itself is refused at start-up; until then it stays the client's. */
type EntryOf<P, Missing> =
  P extends Plugin<infer Namespace, infer Api>
    ? string extends Namespace
      ? never
      : Namespace extends keyof Minions
        ? never
        : Entry<Namespace, Api | Missing>
    : never

/** `false | Plugin`, or a choice of plugins, is a union: each of them may be missing. So may what an array can hold. */
type EntriesOf<Plugins extends readonly PluginEntry[]> = number extends Plugins['length']
  ? EntryOf<Plugins[number], undefined>
  : { [I in keyof Plugins]: EntryOf<Plugins[I], true extends IsUnion<Plugins[I]> ? undefined : never> }[number]

/** One property for each plugin of a list: its namespace, with its API. */
export type Namespaces<Plugins extends readonly PluginEntry[]> = {
  readonly [E in EntriesOf<Plugins> as E['namespace']]: E['api']
}

/** The client with the namespaces of a list of plugins. Inside `transaction` it has them too. */
export type App<Plugins extends readonly PluginEntry[] = readonly []> = Minions & Namespaces<Plugins>
