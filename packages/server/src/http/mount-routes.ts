import { catalogueOf, findOperation, operationRunner, operationsOf, permits } from '@minions/core/operations'
import type { Caller } from '../caller.js'
import { callOperation } from '../calls/call-operation.js'
import { serverError } from '../errors.js'
import type { RouteContext } from '../routes/mounted-routes.js'
import type { ServedApp } from '../served-app.js'
import type { Authenticate } from './authenticate.js'
import type { Router } from './environment.js'
import { limitBody } from './limit-body.js'
import type { Settings } from './options.js'

/** Mounts the routes of other plugins, the longest path first. */
export function mountRoutes(
  router: Router,
  app: ServedApp,
  { maxBodyBytes, runAfter }: Settings,
  authenticate: Authenticate,
): void {
  const mounted = app.server.routes.toSorted((a, b) => b.value.path.length - a.value.path.length)
  for (const { plugin, value } of mounted) {
    const deps = catalogueOf(app).resolve(plugin, value.deps)
    const limit = limitBody(value.maxBodyBytes ?? maxBodyBytes)
    for (const path of value.path === '/' ? ['*'] : [value.path, `${value.path}/*`]) {
      router.all(path, limit, async (context, next) => {
        // Anything below /api that was not answered yet does not exist.
        if (value.path === '/' && context.req.path.startsWith('/api/')) return next()
        const { raw } = context.req
        const isKnown = value.access === 'key' || raw.headers.has('authorization')
        const caller = isKnown ? await authenticate(raw, context.env.connection) : undefined
        return value.handle(raw, deps, contextOf(app, caller, context.get('requestId'), runAfter))
      })
    }
  }
}

function contextOf(app: ServedApp, caller: Caller | undefined, requestId: string, runAfter: number): RouteContext {
  const refuse = async (): Promise<never> => {
    throw serverError('UNAUTHENTICATED', 'This needs a key; send one as `Authorization: Bearer <key>`.')
  }
  return {
    caller,
    requestId,
    operations() {
      if (!caller) return []
      return [...operationsOf(app).values()].flatMap(({ value }) => (permits(caller, value) ? [value] : []))
    },
    run: caller ? operationRunner(app, caller) : refuse,
    call: async (name, input, options) => {
      if (!caller) return refuse()
      const { value: operation } = findOperation(app, name)
      return callOperation(app, { operation, input, caller, wait: runAfter, ...options })
    },
  }
}
