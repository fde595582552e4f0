import {
  type Contributed,
  type MinionsEvents,
  type Operation,
  type OperationCatalogue,
  operations,
  type TypedEmitter,
} from '@minions/core'
import type { Container } from './container.js'
import { resolveDependencies } from './dependencies.js'
import { pointKey } from './services.js'

/** The operations of an app, run with what its container holds. */
export function createCatalogue(container: Container, events: TypedEmitter<MinionsEvents>): OperationCatalogue {
  const contributed = container.resolveAll(pointKey(operations.name)) as Contributed<Operation>[]
  return {
    operations: new Map(contributed.map((one) => [one.value.name, one])),
    resolve: (plugin, deps) => resolveDependencies(container, plugin, deps),
    finished: (call) => void events.emit('operation.finished', call),
  }
}
