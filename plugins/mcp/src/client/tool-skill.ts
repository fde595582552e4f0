import { canonicalJson, isRecord, type JsonValue } from '@minions/core/json'
import { NonRetryableError } from '@minions/skills-runtime'
import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import { mcpError } from '../errors.js'
import { described, type OfferParts } from './described.js'
import type { Offer } from './offered-skills.js'

/** A tool of another server, as a skill that calls it. */
export function toolOffer(tool: Tool, parts: OfferParts): Offer {
  const { name, description = '', inputSchema, outputSchema } = tool
  return {
    kind: 'tool',
    key: name,
    name,
    signature: canonicalJson([name, inputSchema, outputSchema ?? {}] as JsonValue),
    attributes: {
      ...described(`Tool "${name}"`, description, parts),
      parameters_schema: inputSchema,
      ...(outputSchema && { returns_schema: outputSchema }),
    },
    run: async (input, signal) => resultOf(tool, await parts.connection.call(name, input, signal)),
  }
}

/** The result of a skill is an object: the tool's structured data, or else its content. */
function resultOf({ name, outputSchema }: Tool, { content, structuredContent, isError }: CallToolResult): object {
  if (isError) {
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    throw mcpError('TOOL_FAILED', `The tool "${name}" failed: ${text.slice(0, 4000)}`)
  }
  if (isRecord(structuredContent) && outputSchema) return structuredContent
  if (outputSchema)
    throw new NonRetryableError(`The tool "${name}" returned no data, although it declares a schema for it.`)
  return { content, ...(structuredContent !== undefined && { data: structuredContent }) }
}
