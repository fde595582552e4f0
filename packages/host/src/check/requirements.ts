import type { Plugin } from '@minions/core'
import semver from 'semver'
import { hostError } from '../errors.js'

interface Requirement {
  readonly name: string
  readonly range: string
}

/** The plugins in the order in which they start: each after those it requires, otherwise as they were given. */
export function startOrder(plugins: readonly Plugin[]): Plugin[] {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]))
  const required = new Map(plugins.map((plugin) => [plugin, requirementsOf(plugin, byName)]))
  const ordered = new Set<Plugin>()
  const visit = (plugin: Plugin, path: readonly Plugin[]): void => {
    if (ordered.has(plugin)) return
    if (path.includes(plugin)) throw cycle([...path.slice(path.indexOf(plugin)), plugin])
    for (const other of required.get(plugin) ?? []) visit(other, [...path, plugin])
    ordered.add(plugin)
  }
  for (const plugin of plugins) visit(plugin, [])
  return [...ordered]
}

function requirementsOf(plugin: Plugin, byName: ReadonlyMap<string, Plugin>): Plugin[] {
  return (plugin.requires ?? []).map((text) => {
    const { name, range } = parse(plugin, text)
    const other = byName.get(name)
    if (!other) {
      throw hostError(
        'REQUIREMENT_MISSING',
        `The plugin "${plugin.name}" requires "${text}", which is not in the list; add it to \`plugins\`.`,
        { details: { plugins: [plugin.name, name], range } },
      )
    }
    if (!semver.satisfies(other.version, range, { includePrerelease: true })) {
      throw hostError(
        'REQUIREMENT_VERSION',
        `The plugin "${plugin.name}" requires "${text}", but "${name}" has the version ${other.version}; install one that fits.`,
        { details: { plugins: [plugin.name, name], range, version: other.version } },
      )
    }
    return other
  })
}

/** `name` or `name@range`; a name may begin with an `@` of its own. */
function parse(plugin: Plugin, text: string): Requirement {
  const at = text.indexOf('@', 1)
  const name = at < 0 ? text : text.slice(0, at)
  const range = at < 0 ? '*' : text.slice(at + 1)
  if (name !== '' && range.trim() !== '' && semver.validRange(range) !== null) return { name, range }
  throw hostError(
    'PLUGIN_INVALID',
    `The plugin "${plugin.name}" requires "${text}", which is neither \`name\` nor \`name@range\`.`,
    { details: { plugins: [plugin.name], requirement: text } },
  )
}

function cycle(path: readonly Plugin[]): Error {
  const names = path.map(({ name }) => name)
  return hostError('REQUIREMENT_CYCLE', `These plugins require each other in a circle: ${names.join(' → ')}.`, {
    details: { plugins: names.slice(1), path: names },
  })
}
