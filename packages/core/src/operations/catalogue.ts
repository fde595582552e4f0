import type { MinionsAccess } from '../client/minions-access.js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { nearestName } from '../errors/nearest-name.js'
import type { Dependencies } from '../plugin/dependencies.js'
import type { Contributed } from '../plugin/extension-point.js'
import type { Operation } from './operation.js'

/** Where an app keeps its operations; a registered symbol, so that two copies of this package agree. */
export const CATALOGUE = Symbol.for('@minions/operations')

/** The operations of one app, with what is needed to run them. The host attaches it to the app. */
export interface OperationCatalogue {
  readonly operations: ReadonlyMap<string, Contributed<Operation>>
  /** True for the catalogue of a transaction, which runs only atomic operations. */
  readonly isTransaction: boolean
  /** The instances behind the dependencies of an operation. */
  resolve(plugin: string, deps: Dependencies): Readonly<Record<string, unknown>>
  /** Called once per call, when it has ended. */
  finished(call: FinishedOperation): void
}

/** The outcome of a call. */
export interface FinishedOperation {
  readonly operation: string
  readonly by: string | undefined
  readonly tenant: string | undefined
  /** Duration of the call in milliseconds. */
  readonly durationMs: number
  /** Error code; undefined if the call succeeded. */
  readonly error: string | undefined
}

/** All operations of an app by name, each with the plugin that contributed it. Throws `CAPABILITY_MISSING`. */
export const operationsOf = guarded(
  'operationsOf',
  (app: MinionsAccess): ReadonlyMap<string, Contributed<Operation>> => catalogueOf(app).operations,
)

/** The catalogue of an app. Throws `CAPABILITY_MISSING` for a client that was opened without the host. */
export const catalogueOf = guarded('catalogueOf', (app: MinionsAccess): OperationCatalogue => {
  const catalogue = (app as (MinionsAccess & { readonly [CATALOGUE]?: OperationCatalogue }) | undefined)?.[CATALOGUE]
  if (catalogue) return catalogue
  throw coreError('CAPABILITY_MISSING', 'This client has no operations; open it with `createMinions` of @minions/host.')
})

/** An operation by name. Throws `NOT_FOUND` with the nearest name. */
export const findOperation = guarded('findOperation', (app: MinionsAccess, name: string): Contributed<Operation> => {
  const all = operationsOf(app)
  const found = all.get(name)
  if (found) return found
  const nearest = typeof name === 'string' ? nearestName(name, all.keys()) : undefined
  const hint = nearest === undefined ? 'list them with `operationsOf(app)`' : `did you mean "${nearest}"?`
  throw coreError('NOT_FOUND', `There is no operation "${String(name).slice(0, 100)}"; ${hint}`)
})
