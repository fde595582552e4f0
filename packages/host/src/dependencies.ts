import {
  type Dependencies,
  type Dependency,
  isExtensionPoint,
  isOptional,
  isPluginRef,
  type Plugin,
  tokens,
} from '@minions/core/plugin'
import type { Container } from './container.js'
import { loggerOf, pluginKey, pointKey } from './services.js'

type Values = Readonly<Record<string, unknown>>

/** The instances behind the dependencies of a plugin or of one of its operations, by the same names. */
export function resolveDependencies(container: Container, plugin: string, deps: Dependencies): Values {
  const entries = Object.entries(deps).map(([name, dependency]) => [name, resolve(container, plugin, dependency)])
  return Object.fromEntries(entries)
}

/** The same inside a transaction, without plugins that do not take part in it. */
export function resolveJoined(container: Container, { ref, deps }: Plugin, joining: ReadonlySet<string>): Values {
  const takesPart = (dependency: Dependency): boolean => {
    if (isOptional(dependency)) return takesPart(dependency.optional)
    return !isPluginRef(dependency) || joining.has(dependency.name)
  }
  const entries = Object.entries(deps).filter(([, dependency]) => takesPart(dependency))
  return resolveDependencies(container, ref.name, Object.fromEntries(entries))
}

function resolve(container: Container, plugin: string, dependency: Dependency): unknown {
  if (isOptional(dependency)) {
    return container.has(keyOf(dependency.optional)) ? resolve(container, plugin, dependency.optional) : undefined
  }
  if (isExtensionPoint(dependency)) return container.resolveAll(keyOf(dependency))
  return dependency.name === tokens.logger.name ? loggerOf(container, plugin) : container.resolve(keyOf(dependency))
}

function keyOf(dependency: Exclude<Dependency, { readonly kind: 'optional' }>): string {
  if (isPluginRef(dependency)) return pluginKey(dependency.name)
  return isExtensionPoint(dependency) ? pointKey(dependency.name) : dependency.name
}
