import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'
import { quote } from '../errors/quote.js'

const brand = Symbol.for('@minions/extension-point')

declare const carried: unique symbol

export interface ExtensionPointOptions<T> {
  /** Identifies a contribution; two contributions with the same key are refused when the app starts. */
  readonly key?: (value: T) => string
  /** The reason why a contribution is invalid; undefined for a usable one. */
  readonly check?: (value: unknown) => string | undefined
}

/** Something that many plugins contribute to and one plugin uses, e.g. export formats. */
export interface ExtensionPoint<T> extends ExtensionPointOptions<T> {
  readonly kind: 'extension-point'
  readonly name: string
  readonly [carried]?: (value: T) => void
}

/** One contribution, as received by a plugin that depends on the extension point. */
export interface Contributed<T> {
  /** Name of the plugin that contributed it. */
  readonly plugin: string
  readonly value: T
}

/**
 * Creates an extension point. Two with the same name are the same extension point, even when they come from two copies
 * of a package, so prefix the name with that of the package: `@minions/exporters/formats`.
 */
export const extensionPoint = guarded('extensionPoint', extensionPointUnchecked)

function extensionPointUnchecked<T>(name: string, options: ExtensionPointOptions<T> = {}): ExtensionPoint<T> {
  const { key, check } = options
  return Object.freeze({
    ...options,
    ...(key && { key: guarded(`key of ${name}`, (value: T) => requireKey(name, key(value))) }),
    ...(check && { check: guarded(`check of ${name}`, check) }),
    kind: 'extension-point',
    name,
    [brand]: true,
  })
}

function requireKey(name: string, key: unknown): string {
  if (typeof key === 'string') return key
  throw coreError('VALIDATION_FAILED', `The key of a contribution to ${name} must be a text, not ${quote(key)}.`)
}

/** True for extension points created by any copy of this package. */
export function isExtensionPoint(value: unknown): value is ExtensionPoint<never> {
  return hasBrand(value, brand)
}
