export { SERVER_ERROR_CODES, type ServerErrorCode } from './errors.js'
export type { Connection } from './http/authenticate.js'
export { createHandler, type Handler } from './http/create-handler.js'
export type { HandlerOptions, SessionKey } from './http/options.js'
export { type Problem, ProblemSchema } from './http/problem.js'
export type { RateLimit, RateLimiter } from './http/rate-limit.js'
export { LOOPBACK_HOSTS } from './http/same-host.js'
export { type RunningServer, type ServeOptions, serve } from './node/serve.js'
export { type OpenApiDocument, openApiDocument } from './openapi/document.js'
export {
  type Answers,
  type ApiKey,
  ApiKeySchema,
  type ApiKeys,
  type Call,
  type CallAnswer,
  type Caller,
  defineRoutes,
  type Housekeeping,
  httpRoutes,
  type KeyFilter,
  type MountedRoutes,
  type NewApiKey,
  type RouteCallOptions,
  type RouteContext,
  type RoutesDefinition,
  RUN_STATUSES,
  type Run,
  type RunFilter,
  RunSchema,
  type Runs,
  type RunViewer,
  type ServerApi,
  server,
  serverRef,
} from './plugin/index.js'
export type { ServedApp } from './served-app.js'
