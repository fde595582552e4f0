import { Minions } from '@minions/core'
import { isExtensionPoint, isOptional, isPlugin, isPluginRef, isToken, type Plugin } from '@minions/core/plugin'
import semver from 'semver'
import { hostError } from '../errors.js'
import type { PluginEntry } from '../plugin-list.js'

/** Properties that a client has itself, besides those of its prototype. */
export const ownClientProperties: readonly string[] = ['types'] satisfies (keyof Minions)[]

/** The plugins of a list, without skipped entries. Throws when one is malformed or occurs twice. */
export function checkPlugins(entries: readonly PluginEntry[]): Plugin[] {
  if (!Array.isArray(entries)) throw hostError('PLUGIN_INVALID', '`plugins` must be a list of plugins.')
  const plugins = entries.filter((entry, index): entry is Plugin => {
    if (!entry) return false
    if (isPlugin(entry)) return true
    const remedy =
      typeof entry === 'function' ? 'call the function' : 'create it with definePlugin, and its `ref` with pluginRef'
    throw hostError('PLUGIN_INVALID', `plugins[${index}] is not a plugin; ${remedy}.`, { details: { index } })
  })
  const seen = new Set<string>()
  const namespaces = new Map<string, string>()
  for (const plugin of plugins) {
    checkRef(plugin)
    checkParts(plugin)
    const { name, namespace } = plugin.ref
    if (seen.has(name)) {
      throw hostError('PLUGIN_DUPLICATE', `The plugin "${name}" is in the list twice; remove one of them.`, {
        details: { plugins: [name] },
      })
    }
    seen.add(name)
    const other = namespaces.get(namespace)
    if (other !== undefined) {
      const message = `The plugins "${other}" and "${name}" both use the namespace "${namespace}"; keep one of them.`
      throw hostError('NAMESPACE_CLASH', message, { details: { plugins: [other, name], namespace } })
    }
    namespaces.set(namespace, name)
  }
  return plugins
}

/** A plugin that TypeScript did not check may have anything in its parts. */
function checkRef({ ref: { name, namespace } }: Plugin): void {
  if (!/^[A-Za-z_$][\w$]*$/.test(namespace)) {
    throw invalid(name, `has the namespace "${namespace}", which is not an identifier`)
  }
  // A property called `then` would make the app look like a promise.
  if (namespace in Minions.prototype || ownClientProperties.includes(namespace) || namespace === 'then') {
    const message = `The plugin "${name}" uses the namespace "${namespace}", which is a part of the client; choose another.`
    throw hostError('NAMESPACE_RESERVED', message, { details: { plugins: [name], namespace } })
  }
}

function checkParts({ ref: { name }, version, setup, join, deps, contributes, provides, overrides }: Plugin): void {
  if (semver.valid(version) === null) {
    throw invalid(name, `has the version "${version}", which is not a semantic version`)
  }
  if (typeof setup !== 'function') throw invalid(name, 'has no function `setup`')
  if (join !== undefined && typeof join !== 'function') throw invalid(name, 'has a `join` that is not a function')
  if (typeof deps !== 'object' || deps === null)
    throw invalid(name, 'has `deps` that are not an object; name what it needs, such as { client: tokens.client }')
  for (const [key, dependency] of Object.entries(deps)) checkDependency(name, `deps.${key}`, dependency)
  for (const [part, list] of Object.entries({ contributes, provides, overrides })) {
    if (!isReadableList(list)) throw invalid(name, `has \`${part}\` that is not a list`)
  }
  for (const entry of provides) {
    if (!isToken(entry?.token) || typeof entry.create !== 'function') {
      throw invalid(name, 'has an entry in `provides` that was not created by provide(token, create)')
    }
  }
  for (const entry of overrides) {
    if (!isToken(entry?.token) || typeof entry.replace !== 'function') {
      throw invalid(name, 'has an entry in `overrides` that was not created by override(token, replace)')
    }
  }
}

/** Throws for a dependency that is not a plugin, a service or an extension point. */
export function checkDependency(plugin: string, where: string, dependency: unknown): void {
  const inner = isOptional(dependency) ? dependency.optional : dependency
  if (isPluginRef(inner)) {
    if (semver.validRange(inner.versions) !== null) return
    throw invalid(plugin, `requires in \`${where}\` the versions "${inner.versions}", which is not a semantic range`)
  }
  if (isToken(inner) || (isExtensionPoint(inner) && inner === dependency)) return
  throw invalid(
    plugin,
    `has something in \`${where}\` that cannot be depended on; use the reference of a plugin, a token or an extension point`,
  )
}

/** A plugin with a part that cannot be used. */
export function invalid(plugin: string, problem: string): Error {
  return hostError('PLUGIN_INVALID', `The plugin "${plugin}" ${problem}.`, { details: { plugins: [plugin] } })
}

/** A proxy of a list may be revoked. */
function isReadableList(list: unknown): boolean {
  try {
    return Array.isArray(list)
  } catch {
    return false
  }
}
