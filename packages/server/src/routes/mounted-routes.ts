import type { Operation, OperationRunner, RunConditions } from '@minions/core/operations'
import {
  type Dependencies,
  type ExtensionPoint,
  extensionPoint,
  guarded,
  type ResolvedDependencies,
} from '@minions/core/plugin'
import type { Caller } from '../caller.js'
import type { Call, CallAnswer } from '../calls/call-operation.js'
import { serverError } from '../errors.js'

const brand = Symbol.for('@minions/server/routes')

/** The context of a mounted route besides the request itself. */
export interface RouteContext {
  /** The caller and its permissions; undefined only if the routes are `public` and no key was sent. */
  readonly caller: Caller | undefined
  /** Id of the request, as the log and problem documents name it. */
  readonly requestId: string
  /** Operations that the caller may run. */
  operations(): readonly Operation[]
  /** Runs an operation as the caller, within the caller's access, namespaces and tenant. Throws what `runOperation` does. */
  readonly run: OperationRunner
  /** The same for a long operation: after `wait` milliseconds it becomes a run, which `runs.get` follows. */
  call(operation: string, input: unknown, options?: RouteCallOptions): Promise<CallAnswer>
}

/** Options of a call that may take long. */
export type RouteCallOptions = RunConditions & Partial<Pick<Call, 'wait' | 'idempotencyKey'>>

/** Input of `defineRoutes`. */
export interface RoutesDefinition<Deps extends Dependencies> {
  /** Mount point: `/mcp` matches `/mcp` and everything below it. The longest match wins. */
  readonly path: string
  /** `key`, the default, refuses requests without a valid key; `public` admits everyone, for files of a web page. */
  readonly access?: 'key' | 'public'
  /** What `handle` receives, by name: plugins and services. */
  readonly deps?: Deps
  /** Maximum size in bytes of a body; the limit of the server by default. */
  readonly maxBodyBytes?: number
  /**
   * Answers a request whose host, origin, key and rate were checked. Throw a `MinionsError` to answer with its problem
   * document. The request has its full path.
   */
  handle(
    request: Request,
    deps: ResolvedDependencies<NoInfer<Deps>>,
    context: RouteContext,
  ): Response | Promise<Response>
}

/** Routes of a plugin; created by `defineRoutes`. */
export interface MountedRoutes {
  readonly [brand]: true
  readonly path: string
  readonly access: 'key' | 'public'
  readonly deps: Dependencies
  readonly maxBodyBytes?: number
  handle(request: Request, deps: Readonly<Record<string, unknown>>, context: RouteContext): Response | Promise<Response>
}

/** Creates routes, for `contributes: [[httpRoutes, […]]]` of a plugin. Throws `VALIDATION_FAILED`. */
export const defineRoutes = guarded('defineRoutes', defineRoutesUnchecked)

function defineRoutesUnchecked<
  // biome-ignore lint/complexity/noBannedTypes: the type of routes that name no dependencies
  const Deps extends Dependencies = {},
>(definition: RoutesDefinition<Deps>): MountedRoutes {
  const routes = { access: 'key', ...definition, deps: definition.deps ?? {}, [brand]: true }
  const problem = routesProblem(routes)
  if (problem !== undefined) throw serverError('VALIDATION_FAILED', `The routes cannot be defined: ${problem}.`)
  // A handler is called with exactly what its `deps` name, which the common type of all routes cannot express.
  return Object.freeze(routes) as unknown as MountedRoutes
}

/**
 * Extension point for routes of other plugins: a protocol at `/mcp`, files of a page at `/`. They are protected by the
 * same host, origin, key and rate checks as the server's own.
 */
export const httpRoutes: ExtensionPoint<MountedRoutes> = extensionPoint<MountedRoutes>('@minions/server/routes', {
  key: ({ path }) => path,
  check: routesProblem,
})

const PATH = /^\/(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*)?$/

/** Paths of the server itself. */
const OWN = ['operations', 'openapi.json', 'health', 'ready', 'events'].map((name) => `/api/${name}`)

function routesProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !(brand in value)) return 'create them with defineRoutes'
  const { path, access, handle } = value as Partial<MountedRoutes>
  if (typeof path !== 'string' || !PATH.test(path)) {
    return `\`path\` must be "/" or like "/mcp", without a slash at its end, not ${JSON.stringify(path)?.slice(0, 100)}`
  }
  const own = OWN.find((taken) => path === taken || path.startsWith(`${taken}/`))
  if (own !== undefined || path === '/api') return `the path "${path}" belongs to the server`
  if (access !== 'key' && access !== 'public') return '`access` must be "key" or "public"'
  if (typeof handle !== 'function') return `"${path}" needs a function \`handle\``
  return undefined
}
