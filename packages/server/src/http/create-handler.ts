import { guarded } from '@minions/core/plugin'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import { serverError } from '../errors.js'
import { openApiRoute } from '../openapi/route.js'
import { requireServed, type ServedApp } from '../served-app.js'
import { authenticator, type Connection } from './authenticate.js'
import type { Environment, Router } from './environment.js'
import { type EventStreams, eventRoutes } from './event-routes.js'
import { healthRoutes } from './health-routes.js'
import { limitBody } from './limit-body.js'
import { mountRoutes } from './mount-routes.js'
import { operationReader } from './operation-reader.js'
import { operationRoutes, readLimit } from './operation-routes.js'
import type { HandlerOptions, Settings } from './options.js'
import { type PlainReadSteps, plainReads } from './plain-reads.js'
import { problemResponse } from './problem.js'
import { limiterOf } from './rate-limit.js'
import { sameHostCheck } from './same-host.js'
import { guardOrigins, secureResponses } from './security.js'
import { sessionCaller } from './session.js'
import { takeHandlerOptions } from './take-options.js'

/** Answers requests, in any server it is mounted in. */
export interface Handler {
  /** `connection` says where the request came from, which `withoutKey` and the limit for failures need to know. */
  (request: Request, connection?: Connection): Promise<Response>
  /** Makes `/api/ready` fail from now on. Everything else is answered as before. */
  stop(): void
  /** Ends open event streams, whose listeners reconnect with their cursors: elsewhere after `stop`, or here. */
  endStreams(): void
}

/**
 * Creates the handler of an app: its operations, their OpenAPI document, health, and the routes that plugins mount.
 * Throws `CAPABILITY_MISSING` unless the app has the plugin `server()`.
 */
export const createHandler = guarded('createHandler', (app: ServedApp, options: HandlerOptions = {}): Handler => {
  const { answer, stop, endStreams } = requestHandler(app, options)
  const handle = async (request: Request, connection: Connection = {}) => answer(request, connection)
  return Object.assign(guarded('The handler', handle), { stop, endStreams })
})

/** The parts of a handler. */
export interface RequestHandler extends Pick<Handler, 'stop' | 'endStreams'> {
  /** Answers a request that comes from a server of ours, so that its parts need no guard. */
  answer(request: Request, connection: Connection): Response | Promise<Response>
}

/** What `createHandler` does, for callers of ours. */
export function requestHandler(app: ServedApp, options: HandlerOptions): RequestHandler {
  requireServed(app)
  const settings = takeHandlerOptions(options)
  const { keys, logger, limits } = app.server
  const authenticate = authenticator({
    keys,
    withoutKey: settings.withoutKey,
    session: settings.session && sessionCaller(settings.session),
    requests: limiterOf('requests', settings.rateLimit, limits),
    failures: limiterOf('failures', settings.failureLimit, limits),
  })
  const check = sameHostCheck(settings)
  const read = operationReader(app)
  const limit = readLimit(settings.readTimeout)
  let isStopping = false

  const router: Router = new Hono<Environment>()
  router.onError((error, context) => problemResponse(error, context.get('requestId'), logger))
  router.notFound((context) => problemResponse(notFound(context), context.get('requestId'), logger))
  router.use(requestId(), async (context, next) => {
    await next()
    context.res.headers.set('X-Request-Id', context.get('requestId'))
  })
  secureResponses(router)
  healthRoutes(router, app, () => isStopping)
  guardOrigins(router, check, settings.origins)
  router.use(compress())
  // Not for streams, which it would consume.
  for (const path of ['/api/operations/*', '/api/openapi.json']) router.use(path, etag())
  router.use('/api/*', methodNotAllowed({ app: router, onMethodNotAllowed: refuseMethod }))
  const streams = apiRoutes(router, app, settings, { authenticate, read, limit, isStopping: () => isStopping })
  mountRoutes(router, app, settings, authenticate)

  const reads = plainReads(router, { checkHost: check.host, authenticate, read, limit })
  return {
    answer: (request, connection) => reads.fetch(request, { connection }),
    stop() {
      isStopping = true
    },
    endStreams: () => streams.end(),
  }
}

function apiRoutes(
  router: Router,
  app: ServedApp,
  settings: Settings,
  { authenticate, read, limit, isStopping }: Omit<PlainReadSteps, 'checkHost'> & { readonly isStopping: () => boolean },
): EventStreams {
  for (const path of ['/api/operations/*', '/api/openapi.json', '/api/events']) {
    router.use(path, async (context, next) => {
      const { outcome, connection } = context.env
      if (outcome && 'error' in outcome) throw outcome.error
      context.set('caller', outcome?.caller ?? (await authenticate(context.req.raw, connection)))
      await next()
    })
  }
  const limited = limitBody(settings.maxBodyBytes)
  // A read has no body, and looking for one takes longer than the read.
  router.use('/api/operations/*', (context, next) => (context.req.method === 'GET' ? next() : limited(context, next)))
  operationRoutes(router, app, settings, read, limit)
  openApiRoute(router, app)
  return eventRoutes(router, app, settings.streamsPerKey, isStopping)
}

function refuseMethod({ req }: Context, allow: readonly string[]): never {
  throw serverError('METHOD_NOT_ALLOWED', `${req.method} is not allowed here; use ${allow.join(' or ')}.`, {
    details: { allow },
  })
}

function notFound({ req }: Context): Error {
  return serverError('NOT_FOUND', `There is nothing at ${req.path.slice(0, 200)}; see GET /api/openapi.json.`)
}
