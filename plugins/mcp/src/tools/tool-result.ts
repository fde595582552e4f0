import { isMinionsError, type MinionsError } from '@minions/core'
import { isRecord, type JsonValue } from '@minions/core/json'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** The result of an operation as the result of its tool: structured, and as text for clients that know no more. */
export function toolResult(value: JsonValue): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value as CallToolResult['structuredContent'],
  }
}

/** The result of a tool that failed, for the model to read: the code, what is wrong, and what to do about it. */
function toolFailure(error: MinionsError): CallToolResult {
  const { code, message, details } = error
  const more = isRecord(details) && Object.keys(details).length > 0 ? `\n${JSON.stringify(details).slice(0, 4000)}` : ''
  return { content: [{ type: 'text', text: `${code}: ${message}${more}` }], isError: true }
}

/** Runs a tool; what it refuses becomes a result that the model can learn from. Throws what the model cannot correct. */
export async function answered<T extends object>(work: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await work()
  } catch (error) {
    if (isMinionsError(error)) return toolFailure(error)
    throw error
  }
}
