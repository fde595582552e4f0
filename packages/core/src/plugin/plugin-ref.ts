import { coreError } from '../errors/codes.js'
import { hasBrand } from '../errors/minions-error.js'

const brand = Symbol.for('@minions/plugin-ref')

declare const carried: unique symbol

/**
 * References a plugin that another one depends on. Carries, for the compiler only, the types of its API and of what it
 * offers inside a transaction; `never` means that it offers nothing there.
 */
export interface PluginRef<
  Name extends string = string,
  Namespace extends string = string,
  Api = unknown,
  Transaction = unknown,
> {
  readonly kind: 'plugin'
  /** Name of the package, e.g. `@minions/prompts`. */
  readonly name: Name
  /** Property of the app that holds the API, e.g. `prompts`. */
  readonly namespace: Namespace
  /** Semantic versions that the dependent accepts; all versions unless `range` was called. */
  readonly versions: string
  /** The same reference, for a dependent that accepts only versions in this semantic range. */
  range(versions: string): PluginRef<Name, Namespace, Api, Transaction>
  readonly [carried]?: { readonly api: Api; readonly transaction: Transaction }
}

/** Type of the API of a referenced plugin. */
export type ApiOf<Ref> = Ref extends PluginRef<string, string, infer Api, infer _> ? Api : never

/** Type of what a referenced plugin offers inside a transaction; `never` for nothing. */
export type TransactionOf<Ref> = Ref extends PluginRef<string, string, infer _, infer Transaction> ? Transaction : never

/**
 * Creates the reference of a plugin: `pluginRef<PromptsApi, PromptsTransaction>()('@minions/prompts', 'prompts')`. Two
 * calls are needed because the types are given while the names are inferred. Throws `VALIDATION_FAILED` for unusable
 * names.
 */
export function pluginRef<Api, Transaction = never>(): <const Name extends string, const Namespace extends string>(
  name: Name,
  namespace: Namespace,
) => PluginRef<Name, Namespace, Api, Transaction> {
  return (name, namespace) => {
    if (typeof name !== 'string' || name === '' || typeof namespace !== 'string' || namespace === '') {
      throw coreError('VALIDATION_FAILED', 'A plugin reference needs a name and a namespace, both non-empty strings.')
    }
    return reference(name, namespace, '*')
  }
}

/** True for references created by any copy of this package. */
export function isPluginRef(value: unknown): value is PluginRef {
  return hasBrand(value, brand)
}

function reference<Name extends string, Namespace extends string, Api, Transaction>(
  name: Name,
  namespace: Namespace,
  versions: string,
): PluginRef<Name, Namespace, Api, Transaction> {
  const range = (accepted: string) => reference<Name, Namespace, Api, Transaction>(name, namespace, accepted)
  return Object.freeze({ kind: 'plugin', name, namespace, versions, range, [brand]: true })
}
