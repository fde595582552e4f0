import { defineErrors } from '@minions/core'

/** Every code that this package answers with, besides those of operations, with its meaning. */
export const MCP_ERROR_CODES = {
  VALIDATION_FAILED: 'The input breaks a rule.',
  NOT_FOUND: 'There is no such resource.',
  FORBIDDEN: 'The caller may not do this.',
  CONFLICT: 'Another caller was first.',
  CAPABILITY_MISSING: 'The app was opened without the plugin `mcp()`.',
  SERVER_UNAVAILABLE: 'Another MCP server cannot be reached, died, or does not answer.',
  SERVER_REFUSED: 'Another MCP server answered with an error.',
  ANSWER_TOO_LARGE: 'Another MCP server answered with more bytes than are accepted.',
  SKILL_UNVERIFIED: 'A file of a skill of another MCP server does not match what the server announced.',
  TOOL_CHANGED: 'A tool or skill of another MCP server has changed since it was listed.',
  TOOL_FAILED: 'A tool of another MCP server reported that it failed.',
}
export type McpErrorCode = keyof typeof MCP_ERROR_CODES

/** Creates a `MinionsError` with one of this package's codes. */
export const mcpError = defineErrors(MCP_ERROR_CODES)
