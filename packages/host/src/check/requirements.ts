import { dependencyOrder } from '@minions/core/coordination'
import { type Dependency, isOptional, isPluginRef, isToken, type Plugin, type PluginRef } from '@minions/core/plugin'
import semver from 'semver'
import { hostError } from '../errors.js'
import { hostTokens } from '../services.js'

/** A missing dependency of a plugin. */
interface Missing {
  readonly plugin: string
  readonly name: string
  readonly kind: 'plugin' | 'service'
}

/**
 * The plugins in start order: each after those whose API or services it depends on, otherwise as given. Throws when a
 * dependency is missing, has another version, or is part of a cycle.
 */
export function startOrder(plugins: readonly Plugin[]): Plugin[] {
  const byName = new Map(plugins.map((plugin) => [plugin.ref.name, plugin]))
  const providers = new Map(plugins.flatMap((plugin) => plugin.provides.map(({ token }) => [token.name, plugin])))
  const missing: Missing[] = []
  const required = new Map(
    plugins.map((plugin) => {
      const found = Object.values(plugin.deps).map((dependency) => find(plugin, dependency))
      return [plugin, found.filter((other) => other !== undefined)]
    }),
  )
  if (missing.length > 0) throw requirementMissing(missing)
  const { order, cycle } = dependencyOrder(plugins, (plugin) => required.get(plugin) ?? [])
  if (cycle !== undefined) throw requirementCycle(cycle)
  return [...order]

  function find(plugin: Plugin, dependency: Dependency): Plugin | undefined {
    const needed = isOptional(dependency) ? dependency.optional : dependency
    const isRef = isPluginRef(needed)
    if (!isRef && (!isToken(needed) || hostTokens.has(needed.name))) return undefined
    const other = (isRef ? byName : providers).get(needed.name)
    if (!other) {
      if (needed === dependency) {
        missing.push({ plugin: plugin.ref.name, name: needed.name, kind: isRef ? 'plugin' : 'service' })
      }
      return undefined
    }
    if (isRef) checkVersion(plugin, needed, other)
    return other
  }
}

/** All dependencies of operations must be present too, although they do not affect the order. */
export function checkOperationDependencies(
  plugins: readonly Plugin[],
  operations: readonly { readonly plugin: string; readonly deps: readonly Dependency[] }[],
): void {
  const names = new Set(plugins.map(({ ref }) => ref.name))
  const services = new Set([
    ...hostTokens,
    ...plugins.flatMap(({ provides }) => provides.map(({ token }) => token.name)),
  ])
  const missing = operations.flatMap(({ plugin, deps }) =>
    deps.flatMap((dependency): Missing[] => {
      if (isPluginRef(dependency) && !names.has(dependency.name)) {
        return [{ plugin, name: dependency.name, kind: 'plugin' }]
      }
      const isMissing = isToken(dependency) && !services.has(dependency.name)
      return isMissing ? [{ plugin, name: dependency.name, kind: 'service' }] : []
    }),
  )
  if (missing.length > 0) throw requirementMissing(missing)
}

function checkVersion(plugin: Plugin, { name, versions }: PluginRef, other: Plugin): void {
  if (semver.satisfies(other.version, versions, { includePrerelease: true })) return
  const message = `The plugin "${plugin.ref.name}" needs version "${versions}" of "${name}", but found ${other.version}; install a matching version.`
  throw hostError('REQUIREMENT_VERSION', message, {
    details: { plugins: [plugin.ref.name, name], range: versions, version: other.version },
  })
}

function requirementMissing(missing: readonly Missing[]): Error {
  const unique = missing.filter(
    (one, index) => missing.findIndex(({ plugin, name }) => plugin === one.plugin && name === one.name) === index,
  )
  const list = unique.map(({ plugin, name, kind }) =>
    kind === 'plugin'
      ? `"${plugin}" needs the plugin "${name}"`
      : `"${plugin}" needs the service "${name}", which no plugin provides`,
  )
  return hostError('REQUIREMENT_MISSING', `Plugins are missing: ${list.join('; ')}. Add them to \`plugins\`.`, {
    details: {
      plugins: [...new Set(unique.map(({ plugin }) => plugin))],
      missing: [...new Set(unique.map(({ name }) => name))],
    },
  })
}

function requirementCycle(path: readonly Plugin[]): Error {
  const names = path.map(({ ref }) => ref.name)
  const message = `These plugins depend on each other in a cycle: ${names.join(' → ')}. Move the shared part into a separate plugin, or let one contribute to an extension point of the other.`
  return hostError('REQUIREMENT_CYCLE', message, { details: { plugins: names.slice(1), path: names } })
}
