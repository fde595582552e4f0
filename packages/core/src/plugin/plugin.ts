import type { ChangeHooks } from '../client/changes/change.js'
import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'
import type { Collection } from '../storage/collection.js'
import type { TypesIn } from '../types/type-map.js'
import type { Dependencies, JoinedDependencies, ResolvedDependencies } from './dependencies.js'
import type { ExtensionPoint } from './extension-point.js'
import { type ApiOf, isPluginRef, type PluginRef, type TransactionOf } from './plugin-ref.js'
import type { PluginType } from './plugin-type.js'
import type { Override, Provision } from './service.js'

const brand = Symbol.for('@minions/plugin')

declare const carried: unique symbol

/** An extension point and a plugin's contributions to it. */
export type Contribution<T = never> = readonly [point: ExtensionPoint<T>, values: readonly T[]]

type Contributions<Values extends readonly unknown[]> = readonly [...{ [I in keyof Values]: Contribution<Values[I]> }]

/** A plugin takes part in transactions exactly if its reference declares what it offers there. */
type Join<Ref, Deps> = [TransactionOf<Ref>] extends [never]
  ? { readonly join?: undefined }
  : {
      /** The plugin's API inside a transaction; called when its namespace is first used there. */
      join(api: ApiOf<Ref>, deps: JoinedDependencies<NoInfer<Deps>>): TransactionOf<Ref>
    }

/** Parts of a plugin that do not depend on its dependency types. */
interface PluginParts<Ref extends PluginRef> extends ChangeHooks {
  /** The plugin itself: name, namespace, and the types of what it offers. */
  readonly ref: Ref
  /** Semantic version of the plugin, from the manifest of its package. */
  readonly version: string
  /** Collections it stores records in. */
  readonly collections?: readonly Collection[]
  /** Options as given by the user, and their schema. */
  readonly options?: { readonly schema: object; readonly value: unknown }
  /** Stops the plugin. */
  dispose?(api: ApiOf<Ref>): void | Promise<void>
}

/** Input of `definePlugin`. */
export type PluginDefinition<
  Ref extends PluginRef,
  Deps extends Dependencies,
  Types extends readonly PluginType[],
  Contributed extends readonly unknown[],
> = PluginParts<Ref> & {
  /** Types of minions that the plugin contributes. */
  readonly types?: Types
  /** Everything that `setup` receives, by name: plugins, services and extension points. */
  readonly deps?: Deps
  /** Contributions to extension points. */
  readonly contributes?: Contributions<Contributed>
  /** Services it offers, each created by `provide`. */
  readonly provides?: readonly Provision<ApiOf<Ref>>[]
  /** Services it replaces, each created by `override`. */
  readonly overrides?: readonly Override[]
  /** Starts the plugin and returns its API. Receives exactly what `deps` names. */
  setup(deps: ResolvedDependencies<NoInfer<Deps>>): ApiOf<Ref> | Promise<ApiOf<Ref>>
} & Join<Ref, Deps>

/** A plugin: a plain object, created by `definePlugin`. */
export interface Plugin<
  Ref extends PluginRef = PluginRef,
  Deps extends Dependencies = Dependencies,
  Types = unknown,
  Contributed extends readonly unknown[] = readonly unknown[],
> extends PluginParts<Ref> {
  readonly [brand]: true
  /** For the compiler only: types by slug, and contributions. */
  readonly [carried]?: { readonly types: Types; readonly contributed: Contributed }
  readonly types?: readonly PluginType[]
  readonly deps: Deps
  readonly contributes: readonly (readonly [point: ExtensionPoint<never>, values: readonly unknown[]])[]
  readonly provides: readonly Provision<never>[]
  readonly overrides: readonly Override[]
  setup(deps: Readonly<Record<string, unknown>>): ApiOf<Ref> | Promise<ApiOf<Ref>>
  join?(api: ApiOf<Ref>, deps: Readonly<Record<string, unknown>>): TransactionOf<Ref>
}

/** Creates a plugin. The host checks it against the others when an app starts. */
export const definePlugin = guarded('definePlugin', definePluginUnchecked)

function definePluginUnchecked<
  const Ref extends PluginRef,
  // biome-ignore lint/complexity/noBannedTypes: the type of a plugin without dependencies
  const Deps extends Dependencies = {},
  const Types extends readonly PluginType[] = readonly [],
  const Contributed extends readonly unknown[] = readonly [],
>(definition: PluginDefinition<Ref, Deps, Types, Contributed>): Plugin<Ref, Deps, TypesIn<Types>, Contributed> {
  const { deps = {}, contributes = [], provides = [], overrides = [] } = definition
  return Object.freeze({ ...definition, deps, contributes, provides, overrides, [brand]: true }) as Plugin<
    Ref,
    Deps,
    TypesIn<Types>,
    Contributed
  >
}

/** True for plugins created by any copy of this package, except copies that predate plugin references. */
export function isPlugin(value: unknown): value is Plugin {
  return hasBrand(value, brand) && isPluginRef((value as Plugin).ref)
}
