import { getOrInsert } from '@minions/core/json'
import type { Operation } from '@minions/core/operations'
import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { outline, withoutExamples } from './outline.js'

/** Name of the tool of an operation: all models and clients accept letters, digits and underscores. */
function toolName(operation: string): string {
  return operation.replaceAll('.', '_')
}

/** Name of the operation of a tool. Operations have no underscores, so that nothing is lost. */
export function operationName(tool: string): string {
  return tool.replaceAll('_', '.')
}

const tools = new WeakMap<Operation, Tool>()

export function toolOf(operation: Operation): Tool {
  return getOrInsert(tools, operation, () => createTool(operation))
}

function createTool(operation: Operation): Tool {
  const { name, summary, description } = operation
  return {
    name: toolName(name),
    description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    inputSchema: withoutExamples(operation.input) as Tool['inputSchema'],
    outputSchema: outline(operation.output) as NonNullable<Tool['outputSchema']>,
    annotations: annotationsOf(operation),
  }
}

/**
 * Hints for clients about the effects of an operation. Missions and skills may reach anything, so writes give no hint.
 */
export function annotationsOf({
  access,
  destructive = false,
}: Pick<Operation, 'access' | 'destructive'>): ToolAnnotations {
  if (access === 'read') return { readOnlyHint: true, openWorldHint: false }
  return { readOnlyHint: false, destructiveHint: destructive }
}
