import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { Router } from './environment.js'

/** Headers that requests of other origins may send, and those of answers that they may read. */
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

/** Headers that make browsers careful with answers. TLS, and so its header, is the business of a proxy. */
export function secureResponses(router: Router): void {
  const forPages = secureHeaders({ strictTransportSecurity: false })
  const forData = secureHeaders({
    strictTransportSecurity: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    // They concern pages.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  router.use((context, next) => (context.req.path.startsWith('/api/') ? forData : forPages)(context, next))
}

/** Refuses foreign hosts and origins, and lets browsers know which origins are not foreign. */
export function guardOrigins(router: Router, check: (request: Request) => void, origins: readonly string[]): void {
  router.use(async (context, next) => {
    check(context.req.raw)
    await next()
  })
  if (origins.length === 0) return
  router.use(cors({ origin: [...origins], allowHeaders: SENT, exposeHeaders: READ, maxAge: 600 }))
}
