export type { Answers } from '../answers/answers.js'
export type { Caller } from '../caller.js'
export type { Call, CallAnswer } from '../calls/call-operation.js'
export { type ChangeEvent, ChangeEvents } from '../events/change-events.js'
export { visibleTo } from '../events/event-filter.js'
export type { Housekeeping } from '../housekeeping.js'
export type { ApiKeys, KeyFilter, NewApiKey } from '../keys/api-keys.js'
export { type ApiKey, ApiKeySchema } from '../keys/key-record.js'
export { create as createKey, list as listKeys, revoke as revokeKey } from '../keys/operations.js'
export { serverRef } from '../ref.js'
export {
  defineRoutes,
  httpRoutes,
  type MountedRoutes,
  type RouteCallOptions,
  type RouteContext,
  type RoutesDefinition,
} from '../routes/mounted-routes.js'
export { RUN_STATUSES, type Run, RunSchema } from '../runs/run-record.js'
export type { RunFilter, Runs, RunViewer } from '../runs/runs.js'
export type { ServerApi } from '../server-api.js'
export { server } from './server-plugin.js'
