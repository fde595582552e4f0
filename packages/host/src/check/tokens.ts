import { isToken, type Plugin, tokens } from '@minions/core'
import { hostError } from '../errors.js'
import { HOST, tokenClash } from '../wiring.js'

/** Looks for two plugins that declare to provide one token, or one that every app has. */
export function checkTokens(plugins: readonly Plugin[]): void {
  const providers = new Map<string, string>(Object.values(tokens).map(({ name }) => [name, HOST]))
  for (const plugin of plugins) {
    for (const token of plugin.provides ?? []) {
      if (!isToken(token)) {
        throw hostError(
          'PLUGIN_INVALID',
          `The plugin "${plugin.name}" lists something in \`provides\` that is no token.`,
          {
            details: { plugins: [plugin.name] },
          },
        )
      }
      const other = providers.get(token.name)
      if (other !== undefined) throw tokenClash(token.name, other, plugin.name)
      providers.set(token.name, plugin.name)
    }
  }
}
