import type { MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'
import { type CallAnswer, callOperation } from '../calls/call-operation.js'
import type { ServedApp } from '../served-app.js'
import { cacheableResponse, jsonResponse } from './answer.js'
import type { Environment, Router } from './environment.js'
import { methodNotAllowed, OPERATION_PATH, operationFinder, type ReadOperation, signalOf } from './operation-reader.js'
import type { Settings } from './options.js'
import { idempotencyKeyOf, preferredWait } from './preferences.js'
import { progressStream } from './progress-stream.js'
import { readBody } from './read-input.js'

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
  const named = operationFinder(app)
  // A write is never aborted: it becomes a run. So does a read with POST, if it is asked to.
  router.use(OPERATION_PATH, (context, next) => {
    const { method, raw } = context.req
    const operation = named(context)
    const isPost = method === 'POST'
    if (operation.access !== 'read' && !isPost) throw methodNotAllowed(operation)
    const becomesRun = isPost && (operation.access !== 'read' || preferredWait(raw) !== undefined)
    return becomesRun ? next() : limit(context, next)
  })

  router.get(OPERATION_PATH, async (context) => {
    const { outcome } = context.env
    const isDone = outcome !== undefined && 'answer' in outcome
    return cacheableResponse(isDone ? outcome.answer : await read(context, context.get('caller')))
  })

  router.post(OPERATION_PATH, async (context) => {
    const { raw } = context.req
    const operation = named(context)
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
