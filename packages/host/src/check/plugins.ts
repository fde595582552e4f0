import { isPlugin, Minions, type Plugin } from '@minions/core'
import semver from 'semver'
import { hostError } from '../errors.js'
import type { PluginEntry } from '../plugin-list.js'

/** Properties that a client has itself, besides those of its prototype. */
export const ownClientProperties: readonly string[] = ['types'] satisfies (keyof Minions)[]

/** The plugins of a list, without the entries that are left out. Throws when one is not well-formed or there twice. */
export function checkPlugins(entries: readonly PluginEntry[]): Plugin[] {
  if (!Array.isArray(entries)) throw hostError('PLUGIN_INVALID', '`plugins` must be a list of plugins.')
  const plugins = entries.filter((entry, index): entry is Plugin => {
    if (!entry) return false
    if (isPlugin(entry)) return true
    throw hostError(
      'PLUGIN_INVALID',
      `Entry ${index} of \`plugins\` is no plugin; ${typeof entry === 'function' ? 'call the function' : 'make it with definePlugin'}.`,
      { details: { index } },
    )
  })
  const seen = new Set<string>()
  const namespaces = new Map<string, string>()
  for (const plugin of plugins) {
    checkShape(plugin)
    if (seen.has(plugin.name)) {
      throw hostError('PLUGIN_DUPLICATE', `The plugin "${plugin.name}" is in the list twice; remove one of them.`, {
        details: { plugins: [plugin.name] },
      })
    }
    seen.add(plugin.name)
    const other = namespaces.get(plugin.namespace)
    if (other !== undefined) {
      throw hostError(
        'NAMESPACE_CLASH',
        `The plugins "${other}" and "${plugin.name}" both want the namespace "${plugin.namespace}"; use one of them.`,
        { details: { plugins: [other, plugin.name], namespace: plugin.namespace } },
      )
    }
    namespaces.set(plugin.namespace, plugin.name)
  }
  return plugins
}

function checkShape({ name, namespace, version, setup }: Plugin): void {
  const invalid = (problem: string) =>
    hostError('PLUGIN_INVALID', `The plugin "${name}" ${problem}.`, { details: { plugins: [name] } })
  if (typeof name !== 'string' || name === '') throw invalid('has no name')
  if (typeof namespace !== 'string' || !/^[A-Za-z_$][\w$]*$/.test(namespace)) {
    throw invalid(`has the namespace "${namespace}", which is no identifier`)
  }
  if (semver.valid(version) === null) throw invalid(`has the version "${version}", which is no semantic version`)
  if (typeof setup !== 'function') throw invalid('has no setup function')
  // A property called `then` would make the app look like a promise.
  if (namespace in Minions.prototype || ownClientProperties.includes(namespace) || namespace === 'then') {
    throw hostError(
      'NAMESPACE_RESERVED',
      `The plugin "${name}" wants the namespace "${namespace}", which is a part of the client; it must choose another.`,
      { details: { plugins: [name], namespace } },
    )
  }
}
