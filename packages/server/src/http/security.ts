import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { Router } from './environment.js'
import type { SameHostCheck } from './same-host.js'

/** Headers that requests from other origins may send, and response headers that they may read. */
const SENT = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Last-Event-ID',
  'Minions-Tenant',
  'Prefer',
  'Idempotency-Key',
]
const READ = ['ETag', 'Location', 'Retry-After', 'X-Request-Id', 'Preference-Applied']

/** Security headers for browsers. TLS, and so its header, is left to a proxy. */
export function secureResponses(router: Router): void {
  const forPages = secureHeaders({ strictTransportSecurity: false })
  const forData = secureHeaders({
    strictTransportSecurity: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    // These concern pages only.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  router.use((context, next) => (context.req.path.startsWith('/api/') ? forData : forPages)(context, next))
}

/** Refuses hosts and origins that are not allowed, and tells browsers which origins are. */
export function guardOrigins(router: Router, check: SameHostCheck, origins: readonly string[]): void {
  router.use(async (context, next) => {
    check.host(context.req.raw)
    check.origin(context.req.raw)
    await next()
  })
  if (origins.length === 0) return
  router.use(cors({ origin: [...origins], allowHeaders: SENT, exposeHeaders: READ, maxAge: 600 }))
}
