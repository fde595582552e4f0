import { messageOf } from '@minions/core'
import { clientOperations, operations } from '@minions/core/operations'
import { type ExtensionPoint, isExtensionPoint, type Plugin } from '@minions/core/plugin'
import { hostError } from '../errors.js'
import { invalid } from './plugins.js'

/** One value that a plugin contributes, and the extension point it is for. */
export interface CheckedContribution {
  readonly point: ExtensionPoint<never>
  readonly plugin: string
  readonly value: unknown
}

/** Contributions that every app has without a plugin. */
const own: readonly CheckedContribution[] = clientOperations.map((value) => ({
  point: operations,
  plugin: '@minions/core',
  value,
}))

/**
 * All contributions in start order, after those of the client itself. Throws for one of the wrong shape, and for two
 * with the same key.
 */
export function gatherContributions(plugins: readonly Plugin[]): CheckedContribution[] {
  const all = [...own, ...plugins.flatMap(contributionsOf)]
  const owners = new Map<string, string>()
  for (const { point, plugin, value } of all) {
    const key = keyOf(point, plugin, value)
    if (key === undefined) continue
    const slot = JSON.stringify([point.name, key])
    const other = owners.get(slot)
    if (other !== undefined) {
      const who =
        other === plugin
          ? `The plugin "${plugin}" contributes "${key}" to "${point.name}" twice; rename one of them.`
          : `The plugins "${other}" and "${plugin}" both contribute "${key}" to "${point.name}"; one of them must rename it.`
      throw hostError('CONTRIBUTION_CLASH', who, {
        details: { plugins: [...new Set([other, plugin])], point: point.name, key },
      })
    }
    owners.set(slot, plugin)
  }
  return all
}

function contributionsOf({ ref: { name: plugin }, contributes }: Plugin): CheckedContribution[] {
  return contributes.flatMap((entry) => {
    const [point, values] = Array.isArray(entry) ? entry : []
    if (!isExtensionPoint(point) || !Array.isArray(values)) {
      throw invalid(plugin, 'has an entry in `contributes` that is not [extension point, list of values]')
    }
    return values.map((value: unknown) => {
      const problem = attempt(plugin, point, () => point.check?.(value))
      if (problem !== undefined) throw wrongShape(plugin, point, problem)
      return { point, plugin, value }
    })
  })
}

function keyOf(point: ExtensionPoint<never>, plugin: string, value: unknown): string | undefined {
  const { key } = point
  if (!key) return undefined
  const found: unknown = attempt(plugin, point, () => key(value as never))
  if (typeof found === 'string' && found !== '') return found
  throw wrongShape(plugin, point, 'it has no usable key')
}

/** The functions of an extension point receive values from plugins, so they can fail in any way. */
function attempt<T>(plugin: string, point: ExtensionPoint<never>, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw wrongShape(plugin, point, messageOf(cause))
  }
}

function wrongShape(plugin: string, { name }: ExtensionPoint<never>, problem: string): Error {
  return hostError('CONTRIBUTION_INVALID', `The plugin "${plugin}" cannot contribute to "${name}": ${problem}.`, {
    details: { plugins: [plugin], point: name },
  })
}
