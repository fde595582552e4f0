import { guarded } from '../errors/guard.js'
import type { Token } from './token.js'

/** A service that a plugin offers; created by `provide`. */
export interface Provision<Api> {
  readonly token: Token<unknown>
  readonly create: (api: Api) => unknown
}

/** Offers a service, for `provides` of a plugin: created lazily from the plugin's API. */
export const provide = guarded(
  'provide',
  <T, Api>(token: Token<T>, create: (api: Api) => NoInfer<T>): Provision<Api> => Object.freeze({ token, create }),
)

/** A service that a plugin replaces; created by `override`. */
export interface Override {
  readonly token: Token<unknown>
  readonly replace: (previous: unknown) => unknown
}

/** Replaces a service, for `overrides` of a plugin. Several overrides of one service apply in start order. */
export const override = guarded('override', <T>(token: Token<T>, replace: (previous: T) => NoInfer<T>): Override => {
  return Object.freeze({ token, replace: replace as Override['replace'] })
})
