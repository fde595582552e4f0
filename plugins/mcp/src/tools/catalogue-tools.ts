import { nearestName } from '@minions/core'
import type { JsonValue } from '@minions/core/json'
import type { Operation } from '@minions/core/operations'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { mcpError } from '../errors.js'
import { annotationsOf } from './operation-tool.js'
import { withoutExamples } from './outline.js'
import { searchOperations } from './search-operations.js'
import { toolResult } from './tool-result.js'

/** Names of the tools that reach operations without a tool of their own. */
export const CATALOGUE_TOOLS = {
  search: 'operations_search',
  read: 'operations_read',
  call: 'operations_call',
} as const

const Called = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'Name of an operation, as operations_search gives it.' },
    input: { type: 'object', description: 'Its input.' },
  },
  required: ['operation'],
  additionalProperties: false,
} as const satisfies Tool['inputSchema']

const Result = { type: 'object', properties: { result: {} } } as const satisfies Tool['outputSchema']

const searchTool: Tool = {
  name: CATALOGUE_TOOLS.search,
  description:
    'Find more operations by words, with the schemas of their inputs. Run what only reads with operations_read, all others with operations_call.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'Words, such as "diff two prompt versions".' } },
    required: ['query'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { operations: { type: 'array', items: { type: 'object' } }, total: { type: 'integer' } },
  },
  annotations: annotationsOf({ access: 'read' }),
}

const running = { inputSchema: Called, outputSchema: Result }

const readTool: Tool = {
  name: CATALOGUE_TOOLS.read,
  description: 'Run an operation that only reads.',
  ...running,
  annotations: annotationsOf({ access: 'read' }),
}

const callTool: Tool = {
  name: CATALOGUE_TOOLS.call,
  description: 'Run any operation, including one that changes or removes something.',
  ...running,
  annotations: annotationsOf({ access: 'write', destructive: true }),
}

/** The tools that lead to operations without a tool of their own. */
export function catalogueTools(unlisted: readonly Operation[]): Tool[] {
  if (unlisted.length === 0) return []
  return [searchTool, readTool, ...(unlisted.some(({ access }) => access !== 'read') ? [callTool] : [])]
}

export function answerSearch(operations: readonly Operation[], { query = '' }: { query?: unknown }): CallToolResult {
  const found = searchOperations(operations, String(query).slice(0, 1000))
  const described = found.map(({ name, summary, description, access, destructive = false, input }) => ({
    name,
    summary,
    ...(description !== undefined && { description }),
    access,
    destructive,
    input: withoutExamples(input),
  }))
  return toolResult({ operations: described, total: operations.length } as JsonValue)
}

/** The operation that a call names. Throws `NOT_FOUND` and `FORBIDDEN`. */
export function calledOperation(
  operations: readonly Operation[],
  tool: string,
  { operation: name }: { operation?: unknown },
): Operation {
  const found = operations.find((each) => each.name === name)
  if (!found) {
    const nearest = nearestName(
      String(name),
      operations.map((each) => each.name),
    )
    const hint = nearest === undefined ? 'find them with operations_search' : `did you mean "${nearest}"?`
    throw mcpError('NOT_FOUND', `There is no operation "${String(name).slice(0, 100)}" here; ${hint}`)
  }
  if (tool === CATALOGUE_TOOLS.read && found.access !== 'read') {
    throw mcpError('FORBIDDEN', `The operation "${found.name}" is not read-only; run it with operations_call.`)
  }
  return found
}
