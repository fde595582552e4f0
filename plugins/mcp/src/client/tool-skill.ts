import { canonicalJson, isRecord, type JsonValue } from '@minions/core/json'
import { NonRetryableError, SKILL_LIMITS, type Skill } from '@minions/skills-runtime'
import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import { mcpError } from '../errors.js'
import { SERVER_DEFAULTS, type ServerOptions } from './server-options.js'

/** What the skill of a tool is made with. */
export interface ToolSkillParts {
  readonly server: string
  readonly options: ServerOptions
  readonly name: string
  readonly version: string
  /** Calls the tool as it was when the skill was made. */
  readonly call: (tool: Tool, input: Record<string, unknown>, signal: AbortSignal) => Promise<CallToolResult>
}

/**
 * The skill of a tool of another server. What the server writes of it is text for a reader and nothing else: it neither
 * decides who may run the skill, nor how often it is tried.
 */
export function toolSkill(tool: Tool, { server, options, name, version, call }: ToolSkillParts): Skill {
  const { timeout = SERVER_DEFAULTS.timeout, maxRetries = SERVER_DEFAULTS.maxRetries } = options
  const returns = tool.outputSchema
  return {
    name,
    version,
    description: descriptionOf(tool, server),
    parameters_schema: tool.inputSchema,
    ...(returns && { returns_schema: returns }),
    timeout,
    max_retries: maxRetries,
    tags: ['mcp', `mcp-${server}`.slice(0, SKILL_LIMITS.tag)],
    execute: async (input, { signal }) => resultOf(tool, await call(tool, input, signal)),
  }
}

/** What decides whether a tool is still the one that was listed. */
export function signatureOf({ name, inputSchema, outputSchema = {} }: Tool): string {
  return canonicalJson([name, inputSchema, outputSchema] as JsonValue)
}

/** One line of what the server says, marked as its words. */
function descriptionOf({ name, description = '' }: Tool, server: string): string {
  const words = description.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
  const text = `Tool "${name}" of the MCP server "${server}", which says of it: ${words}`
  return text.length <= SKILL_LIMITS.description ? text : `${text.slice(0, SKILL_LIMITS.description - 1)}…`
}

/** The result of a skill is an object: what the tool gave as data, or else its content. */
function resultOf({ name, outputSchema }: Tool, { content, structuredContent, isError }: CallToolResult): object {
  if (isError) {
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    throw mcpError('TOOL_FAILED', `The tool "${name}" failed: ${text.slice(0, 4000)}`)
  }
  if (isRecord(structuredContent) && outputSchema) return structuredContent
  if (outputSchema) throw new NonRetryableError(`The tool "${name}" gave no data, although it has a schema for it.`)
  return { content, ...(structuredContent !== undefined && { data: structuredContent }) }
}
