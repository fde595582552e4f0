import { type Clock, MinionsError } from '@minions/core'
import { type IdSource, type Logger, type Plugin, type Token, tokens } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { overrideInvalid, setupFailed } from './errors.js'

/** The parts that can be replaced before the store is opened. */
export interface Parts {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly ids: IdSource
  readonly logger: Logger
}

const isFunction = (value: unknown) => typeof value === 'function'
const hasMethods =
  (...names: string[]) =>
  (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => isFunction((value as Record<string, unknown>)[name]))

const isStorage = hasMethods('open', 'close', 'transaction', 'get', 'query')

/** The replaceable parts by the name of their token, and the minimum shape of a replacement. */
const replaceable = new Map<string, { readonly part: keyof Parts; readonly fits: (value: unknown) => boolean }>([
  [tokens.backend.name, { part: 'storage', fits: isStorage }],
  [tokens.clock.name, { part: 'clock', fits: isFunction }],
  [tokens.ids.name, { part: 'ids', fits: isFunction }],
  [tokens.logger.name, { part: 'logger', fits: hasMethods('info', 'warn', 'error', 'child') }],
])

/** Checks that a given storage can be one; a URL is a string and has already been resolved. */
export function checkStorage(value: unknown): StorageBackend {
  if (isStorage(value)) return value as StorageBackend
  throw new MinionsError('VALIDATION_FAILED', '`storage` must be a storage backend or a storage URL such as "memory:".')
}

/** True for the services that are replaced before the store is opened. */
export function isReplaceable(token: Token<unknown>): boolean {
  return replaceable.has(token.name)
}

/** Lets the plugins replace parts, one after the other in start order; each receives the result of the previous one. */
export function replaceParts(plugins: readonly Plugin[], parts: Parts): Parts {
  const current: Record<keyof Parts, unknown> = { ...parts }
  for (const plugin of plugins) {
    for (const { token, replace } of plugin.overrides) {
      const known = replaceable.get(token.name)
      if (!known) continue
      try {
        current[known.part] = replace(current[known.part])
      } catch (cause) {
        throw setupFailed(plugin.ref.name, `failed to replace "${token.name}"`, cause)
      }
      if (!known.fits(current[known.part])) {
        throw overrideInvalid(plugin.ref.name, `replaces "${token.name}" with something unsuitable`)
      }
    }
  }
  return current as Parts
}
