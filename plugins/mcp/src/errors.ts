import { defineErrors } from '@minions/core'

/** Every code that this package answers with besides those of operations, with what it means. */
export const MCP_ERROR_CODES = {
  VALIDATION_FAILED: 'What was given breaks a rule.',
  NOT_FOUND: 'Nothing is there.',
  FORBIDDEN: 'The caller may not do this.',
  CONFLICT: 'Someone else was first.',
  CAPABILITY_MISSING: 'The app was opened without the plugin `mcp()`.',
  SERVER_UNAVAILABLE: 'Another MCP server cannot be reached, died, or does not answer.',
  SERVER_REFUSED: 'Another MCP server answered with an error.',
  ANSWER_TOO_LARGE: 'Another MCP server answered with more bytes than are taken.',
  SKILL_UNVERIFIED: 'A file of a skill of another MCP server is not what the server announced.',
  TOOL_CHANGED: 'A tool or skill of another MCP server is not what it was when it was listed.',
  TOOL_FAILED: 'A tool of another MCP server reported that it failed.',
} as const satisfies Record<string, string>

export type McpErrorCode = keyof typeof MCP_ERROR_CODES

/** Creates a `MinionsError` with one of this package's codes. */
export const mcpError = defineErrors(MCP_ERROR_CODES)
