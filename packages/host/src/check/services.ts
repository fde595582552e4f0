import type { Plugin } from '@minions/core/plugin'
import { hostError, overrideInvalid } from '../errors.js'
import { isReplaceable } from '../parts.js'
import { HOST, hostTokens } from '../services.js'

/** Detects two plugins that provide the same service, or one that every app has, and overrides of nothing. */
export function checkServices(plugins: readonly Plugin[]): void {
  const providers = new Map<string, string>([...hostTokens].map((name) => [name, HOST]))
  for (const { ref, provides } of plugins) {
    for (const { token } of provides) {
      const other = providers.get(token.name)
      if (other !== undefined) {
        const message = `The plugin "${ref.name}" provides "${token.name}", which "${other}" already provides; use override to replace it.`
        throw hostError('TOKEN_CLASH', message, { details: { plugins: [other, ref.name], token: token.name } })
      }
      providers.set(token.name, ref.name)
    }
  }
  for (const { ref, overrides } of plugins) {
    for (const { token } of overrides) {
      const provider = providers.get(token.name)
      if (provider === undefined) throw overrideInvalid(ref.name, `overrides "${token.name}", which no plugin provides`)
      if (provider === HOST && !isReplaceable(token)) {
        throw overrideInvalid(ref.name, `overrides "${token.name}", which cannot be replaced`)
      }
    }
  }
}
