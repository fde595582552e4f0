import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { McpCall, ToolAnswer } from '../../../src/index.ts'
import { embedded, image, pause, result, text, WAV } from './content.ts'

/** A tool of the suite. */
export interface FixtureTool {
  readonly run: Run
  readonly inputSchema: Tool['inputSchema']
  /** Set if the tool only runs as a task. */
  readonly needsTasks?: boolean
}

type Run = (input: Record<string, string | undefined>, call: McpCall) => ToolAnswer | Promise<ToolAnswer>

const nothing = { type: 'object', properties: {} } as const

/** Tools that answer at once. */
export const plainTools: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: tool(() => result(text('This is a simple text response for testing.'))),
  test_image_content: tool(() => result(image)),
  test_audio_content: tool(() => result({ type: 'audio', data: WAV, mimeType: 'audio/wav' })),
  test_embedded_resource: tool(() =>
    result(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
  ),
  test_multiple_content_types: tool(() =>
    result(
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ),
  ),
  test_error_handling: tool(() => ({
    ...result(text('This tool intentionally returns an error for testing')),
    isError: true,
  })),
  test_tool_with_logging: tool(log),
  test_logging_tool: tool(log),
  test_tool_with_progress: tool(async (_, { request: { mcpReq } }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
      await pause(50)
    }
    return result(text('The tool has made progress.'))
  }),
  greet: tool(({ name }) => result(text(`Hello, ${name}!`)), {
    type: 'object',
    properties: { name: { type: 'string' } },
  }),
  json_schema_2020_12_tool: tool(() => result(text('ok')), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
}

async function log(_: unknown, { request: { mcpReq } }: McpCall): Promise<CallToolResult> {
  for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await mcpReq.log('info', message)
    await pause(50)
  }
  return result(text('The tool has logged.'))
}

export function tool(run: Run, inputSchema: object = nothing): FixtureTool {
  return { run, inputSchema: inputSchema as Tool['inputSchema'] }
}
