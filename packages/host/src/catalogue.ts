import type { MinionsEvents, TypedEmitter } from '@minions/core'
import { type Operation, type OperationCatalogue, operations } from '@minions/core/operations'
import type { Contributed } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import type { Container } from './container.js'
import { resolveDependencies } from './dependencies.js'
import { pointKey } from './services.js'

/** The operations of an app, run with the instances in its container. */
export function createCatalogue(container: Container, events: TypedEmitter<MinionsEvents>): OperationCatalogue {
  const contributed = container.resolveAll(pointKey(operations.name)) as Contributed<Operation>[]
  return {
    isTransaction: false,
    operations: new Map(contributed.map((one) => [one.value.name, one])),
    resolve: resolveOnce(container),
    finished(call) {
      if (events.listenerCount('operation.finished') > 0) events.emit('operation.finished', call)
    },
  }
}

/** The contents of an app never change once it was created, so the dependencies of an operation are looked up once. */
function resolveOnce(container: Container): OperationCatalogue['resolve'] {
  type Values = ReturnType<OperationCatalogue['resolve']>
  const known = new WeakMap<object, { readonly plugin: string; readonly values: Values }>()
  return (plugin, deps) => {
    const found = known.get(deps)
    if (found?.plugin === plugin) return found.values
    const values = Object.freeze(resolveDependencies(container, plugin, deps))
    known.set(deps, { plugin, values })
    return values
  }
}

/** The same inside a transaction. Successful calls are reported once it is committed. */
export function joinCatalogue(
  outer: OperationCatalogue,
  container: () => Container,
  store: StoreTransaction,
): OperationCatalogue {
  return {
    isTransaction: true,
    operations: outer.operations,
    resolve: (plugin, deps) => resolveDependencies(container(), plugin, deps),
    finished: (call) =>
      call.error === undefined ? store.afterCommit(() => outer.finished(call)) : outer.finished(call),
  }
}
