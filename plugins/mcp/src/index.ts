export type {
  CommandServerOptions,
  ServerAnswer,
  ServerOptions,
  ServerQuestion,
  UrlServerOptions,
} from './client/server-options.js'
export type { SignedIn, SignInOptions } from './client/sign-in.js'
export {
  type ListPage,
  type McpFeatures,
  mcpFeatures,
  type PromptProvider,
  type ResourceProvider,
  type ToolAnswer,
  type ToolProvider,
} from './door/features.js'
export type { McpCall } from './door/mcp-call.js'
export { DEFAULT_TOOLS, type Profile } from './door/profile.js'
export { MCP_ERROR_CODES, type McpErrorCode } from './errors.js'
export type { Mcp } from './mcp.js'
export { type McpOptions, mcp } from './plugin.js'
export { mcpRef } from './ref.js'
export { type ServedConnection, type StdioOptions, serveStdio } from './stdio/serve-stdio.js'
export {
  TASK_STATUSES,
  TASKS_EXTENSION,
  type TaskKind,
  type TaskStarted,
  type TaskState,
  type TaskStatus,
} from './tasks/task.js'
