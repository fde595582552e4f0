import type { Operation } from '../operation.js'
import { exportBundle, importBundle } from './bundles.js'
import { listChanges } from './changes.js'
import * as objects from './objects.js'
import * as operations from './operations.js'
import * as relations from './relations.js'
import * as types from './types.js'

/** Operations of the client itself; the host contributes them to every app. */
export const clientOperations = [
  objects.create,
  objects.createMany,
  objects.get,
  objects.getRecord,
  objects.update,
  objects.softDelete,
  objects.restore,
  objects.purge,
  objects.find,
  objects.search,
  objects.count,
  relations.link,
  relations.unlink,
  relations.find,
  relations.walk,
  relations.path,
  relations.tree,
  types.list,
  types.get,
  types.jsonSchema,
  types.create,
  types.planEvolution,
  types.evolve,
  listChanges,
  exportBundle,
  importBundle,
  operations.list,
  operations.get,
] as const satisfies readonly Operation[]
