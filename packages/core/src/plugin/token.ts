import { guarded } from '../errors/guard.js'
import { hasBrand } from '../errors/minions-error.js'

const brand = Symbol.for('@minions/token')

declare const carried: unique symbol

/** A name for something that plugins provide and depend on. Carries its type for the compiler only. */
export interface Token<T> {
  readonly kind: 'service'
  readonly name: string
  readonly [carried]?: T
}

/** The type that a token stands for. */
export type TokenValue<K> = K extends Token<infer T> ? T : never

/**
 * Creates a token. Two tokens with the same name are the same token, even when they come from two copies of a package,
 * so prefix the name with that of the package: `@minions/prompts/renderer`.
 */
export const createToken = guarded(
  'createToken',
  <T>(name: string): Token<T> => Object.freeze({ kind: 'service', name, [brand]: true }),
)

/** True for tokens of any copy of this package. */
export function isToken(value: unknown): value is Token<unknown> {
  return hasBrand(value, brand)
}
