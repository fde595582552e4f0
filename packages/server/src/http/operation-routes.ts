import { nearestName } from '@minions/core'
import { type Operation, operationsOf, runOperation } from '@minions/core/operations'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'
import type { Caller } from '../caller.js'
import { type CallAnswer, callOperation } from '../calls/call-operation.js'
import { serverError } from '../errors.js'
import type { ServedApp } from '../served-app.js'
import { type Cacheable, cacheable, cacheableResponse, jsonResponse } from './answer.js'
import type { Environment, Router } from './environment.js'
import type { Settings } from './options.js'
import { idempotencyKeyOf, preferredWait } from './preferences.js'
import { progressStream } from './progress-stream.js'
import { queryReader, type ReadQuery, readBody } from './read-input.js'
import { WorkSignal } from './work-signal.js'

export const OPERATION_PATH = '/api/operations/:name'

/** Runs the operation that a request names, with the input in its query, and returns the result as JSON. */
export type ReadOperation = (context: Context<Environment, typeof OPERATION_PATH>, caller: Caller) => Promise<Cacheable>

/** Reads for requests with `GET`. Throws `NOT_FOUND`, `METHOD_NOT_ALLOWED`, or what `runOperation` throws. */
export function operationReader(app: ServedApp): ReadOperation {
  const readers = new Map<Operation, ReadQuery>()
  return async (context, caller) => {
    const operation = operationNamed(app, context.req.param('name'))
    if (operation.access !== 'read') throw methodNotAllowed(operation)
    const readQuery = readers.get(operation) ?? queryReader(operation)
    readers.set(operation, readQuery)
    const input = readQuery(context.req.raw.url)
    const signal = signalOf(context)
    return cacheable(await runOperation(app, operation.name, input, { ...caller, signal: () => signal.value }))
  }
}

/** Aborts reads that take too long. */
export function readLimit(readTimeout: number): MiddlewareHandler<Environment> {
  return timeout(readTimeout, (context) => {
    // Deferred, or the answer to the abort would replace this one.
    setTimeout(() => context.get('signal')?.abort())
    return new HTTPException(504)
  })
}

/** `POST /api/operations/{name}` for every operation, and `GET` for those that only read. */
export function operationRoutes(
  router: Router,
  app: ServedApp,
  { runAfter }: Settings,
  read: ReadOperation,
  limit: MiddlewareHandler<Environment>,
): void {
  // A write is never aborted: it becomes a run.
  router.use(OPERATION_PATH, (context, next) => {
    const isRead = operationNamed(app, context.req.param('name')).access === 'read'
    return isRead && preferredWait(context.req.raw) === undefined ? limit(context, next) : next()
  })

  router.get(OPERATION_PATH, async (context) => {
    const { outcome } = context.env
    const isDone = outcome !== undefined && 'answer' in outcome
    return cacheableResponse(isDone ? outcome.answer : await read(context, context.get('caller')))
  })

  router.post(OPERATION_PATH, async (context) => {
    const { raw } = context.req
    const operation = operationNamed(app, context.req.param('name'))
    const idempotencyKey = idempotencyKeyOf(raw)
    const preferred = preferredWait(raw)
    const wait = preferred ?? (operation.access === 'read' ? Number.POSITIVE_INFINITY : runAfter)
    const input = await readBody(raw)
    const signal = signalOf(context).value
    const call = { operation, input, caller: context.get('caller'), idempotencyKey, signal, wait }
    if (raw.headers.get('accept')?.includes('text/event-stream')) return progressStream(context, app, call)
    return responseTo(await callOperation(app, call), preferred)
  })
}

/** Aborted when the caller disconnects, or on timeout. */
function signalOf(context: Context<Environment>): WorkSignal {
  const signal = new WorkSignal(context.req.raw)
  context.set('signal', signal)
  return signal
}

function responseTo(answer: CallAnswer, wait: number | undefined): Response {
  const headers = { 'Cache-Control': 'no-store', ...(answer.replayed && { 'Idempotency-Replayed': 'true' }) }
  if ('result' in answer) return jsonResponse(answer.result, 200, headers)
  return jsonResponse(answer.run, 202, {
    ...headers,
    Location: `/api/operations/runs.get?id=${encodeURIComponent(answer.run.id)}`,
    'Retry-After': '1',
    ...(wait !== undefined && { 'Preference-Applied': wait === 0 ? 'respond-async' : `wait=${wait / 1000}` }),
  })
}

function operationNamed(app: ServedApp, name: string): Operation {
  const all = operationsOf(app)
  const found = all.get(name)
  if (found) return found.value
  const nearest = nearestName(name, all.keys())
  const hint = nearest === undefined ? 'see GET /api/openapi.json for the existing ones.' : `did you mean "${nearest}"?`
  throw serverError('NOT_FOUND', `There is no operation "${name.slice(0, 100)}"; ${hint}`)
}

function methodNotAllowed({ name, access }: Operation): Error {
  return serverError('METHOD_NOT_ALLOWED', `The operation "${name}" needs the access "${access}": use POST.`, {
    details: { allow: ['POST'] },
  })
}
