import { type Logger, type Plugin, type Token, type TokenValue, tokens } from '@minions/core/plugin'
import type { Container } from './container.js'
import { setupFailed } from './errors.js'

/** Provider of the services that every app has. */
export const HOST = '@minions/host'

/** Names of the services that every app has. */
export const hostTokens: ReadonlySet<string> = new Set(Object.values(tokens).map(({ name }) => name))

/** Container name of a plugin's API, as opposed to a service of the same name. */
export const pluginKey = (name: string): string => `plugin ${name}`

/** Container name of the contributions to an extension point. */
export const pointKey = (name: string): string => `extension point ${name}`

type HostServices = { readonly [Name in keyof typeof tokens]: TokenValue<(typeof tokens)[Name]> }

/** Registers what every app has; the instances already exist. */
export function registerHostServices(container: Container, services: HostServices): void {
  for (const [name, token] of Object.entries(tokens)) {
    container.register(token.name, () => services[name as keyof HostServices])
  }
}

/** Registers the services of all plugins: created from the plugin's API when first needed, then overridden in start order. */
export function registerServices(container: Container, plugins: readonly Plugin[]): void {
  for (const { ref, provides } of plugins) {
    for (const { token, create } of provides) {
      container.register(token.name, () => {
        const api = container.resolve(pluginKey(ref.name)) as never
        let value = attempt(ref.name, token, () => create(api))
        for (const overrider of plugins) {
          for (const override of overrider.overrides) {
            if (override.token.name !== token.name) continue
            const previous = value
            value = attempt(overrider.ref.name, token, () => override.replace(previous))
          }
        }
        return value
      })
    }
  }
}

/** The logger of one plugin, which adds its name to every line. */
export function loggerOf(container: Container, plugin: string): Logger {
  return (container.resolve(tokens.logger.name) as Logger).child({ plugin })
}

function attempt(plugin: string, { name }: Token<unknown>, work: () => unknown): unknown {
  try {
    return work()
  } catch (cause) {
    throw setupFailed(plugin, `failed to create the service "${name}"`, cause)
  }
}
