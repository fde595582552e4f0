import { nearestName } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { type Operation, operationsOf, runOperationAsText } from '@minions/core/operations'
import type { Context } from 'hono'
import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import type { ServedApp } from '../served-app.js'
import { type Cacheable, cacheable } from './answer.js'
import type { Environment } from './environment.js'
import { queryReader, type ReadQuery } from './read-input.js'
import { WorkSignal } from './work-signal.js'

export const OPERATION_PATH = '/api/operations/:name'

/** A request to an operation. */
export type OperationRequest = Context<Environment, typeof OPERATION_PATH>

/** Runs the operation that a request names, with the input in its query, and returns the result as JSON. */
export type ReadOperation = (context: OperationRequest, caller: Caller) => Cacheable | Promise<Cacheable>

/**
 * Reads for requests with `GET`; a promise only if the operation waits for something. Throws `NOT_FOUND`,
 * `METHOD_NOT_ALLOWED`, or what `runOperation` throws.
 */
export function operationReader(app: ServedApp): ReadOperation {
  const named = operationFinder(app)
  const readers = new Map<Operation, ReadQuery>()
  return (context, caller) => {
    const operation = named(context)
    if (operation.access !== 'read') throw methodNotAllowed(operation)
    const readQuery = getOrInsert(readers, operation, () => queryReader(operation))
    const input = readQuery(context.req.raw.url)
    const { by, tenant, access, namespaces, confined, shared } = caller
    const signal = () => signalOf(context).value
    const options = { by, tenant, access, namespaces, confined, shared, signal }
    const text = runOperationAsText(app, operation.name, input, options)
    if (typeof text === 'string') return cacheable(text)
    // From now on it can be aborted.
    signalOf(context)
    return text.then(cacheable)
  }
}

/** Finds the operation that a request names. Throws `NOT_FOUND`. */
export function operationFinder(app: ServedApp): (context: OperationRequest) => Operation {
  // The contents of an app never change once it was created.
  const all = operationsOf(app)
  return (context) => {
    const name = context.req.param('name')
    const found = all.get(name)
    if (found) return found.value
    const nearest = nearestName(name, all.keys())
    const hint =
      nearest === undefined ? 'see GET /api/openapi.json for the existing ones.' : `did you mean "${nearest}"?`
    throw serverError('NOT_FOUND', `There is no operation "${name.slice(0, 100)}"; ${hint}`)
  }
}

/** The signal of the work for a request: aborted when the caller disconnects, or on timeout. */
export function signalOf(context: Context<Environment>): WorkSignal {
  const known = context.get('signal')
  if (known) return known
  const signal = new WorkSignal(context.req.raw)
  context.set('signal', signal)
  return signal
}

/** The error for a method other than POST, for an operation that does not only read. */
export function methodNotAllowed({ name, access }: Operation): Error {
  return serverError('METHOD_NOT_ALLOWED', `The operation "${name}" needs the access "${access}": use POST.`, {
    details: { allow: ['POST'] },
  })
}
