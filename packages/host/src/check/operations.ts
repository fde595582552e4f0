import { type Operation, operations } from '@minions/core/operations'
import { isPluginRef, type Plugin } from '@minions/core/plugin'
import type { CheckedContribution } from './contributions.js'
import { checkDependency, invalid } from './plugins.js'
import { checkOperationDependencies } from './requirements.js'

interface OwnedOperation {
  readonly plugin: string
  readonly operation: Operation
}

/** Operations may depend on plugins other than their own, which must be present too. */
export function checkOperations(plugins: readonly Plugin[], contributions: readonly CheckedContribution[]): void {
  const own = contributions
    .filter(({ point }) => point.name === operations.name)
    .map(({ plugin, value }) => ({ plugin, operation: value as Operation }))
  for (const { plugin, operation } of own) {
    for (const [key, dependency] of Object.entries(operation.deps)) {
      checkDependency(plugin, `deps.${key} of the operation ${operation.name}`, dependency)
    }
  }
  checkOperationDependencies(
    plugins,
    own.map(({ plugin, operation }) => ({ plugin, deps: Object.values(operation.deps) })),
  )
  checkAtomic(plugins, own)
}

/** An atomic operation may run inside a transaction, so its dependencies must be available there. */
function checkAtomic(plugins: readonly Plugin[], own: readonly OwnedOperation[]): void {
  const outside = new Set(plugins.filter(({ join }) => !join).map(({ ref }) => ref.name))
  for (const { plugin, operation } of own) {
    if (!operation.atomic) continue
    const missing = Object.values(operation.deps).find((one) => isPluginRef(one) && outside.has(one.name))
    if (!missing || !isPluginRef(missing)) continue
    throw invalid(
      plugin,
      `has the atomic operation "${operation.name}", which depends on "${missing.name}", a plugin that does not take part in transactions`,
    )
  }
}
