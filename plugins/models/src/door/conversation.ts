import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { asJsonSchema, strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import type { ModelAnswer } from './call.js'
import { parseInput } from './read-answer.js'

const MAX_TEXT = 1_000_000

/** A tool call within a conversation; `arguments` is the text that the model wrote. */
const ToolCallSchema = Type.Object({ id: Type.String(), name: Type.String(), arguments: Type.String() })

/** What every answer says besides its text. */
export const answered = {
  usage: Type.Object({
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    totalTokens: Type.Integer(),
    estimated: Type.Optional(Type.Boolean()),
  }),
  cost: Type.Optional(Type.Number()),
  tool_calls: Type.Optional(Type.Array(ToolCallSchema)),
}

/** One message of a conversation with tools. */
export const MessageSchema = strictObject({
  role: Type.Enum(['system', 'user', 'assistant', 'tool']),
  content: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
  tool_calls: Type.Optional(Type.Array(ToolCallSchema)),
  tool_call_id: Type.Optional(Type.String({ description: 'Of a tool message: the call that it answers.' })),
})

/** A tool that the caller runs itself. */
export const OutsideToolSchema = strictObject({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
})

export type ConversationMessage = Static<typeof MessageSchema>
export type OutsideTool = Static<typeof OutsideToolSchema>
export type ConversationCall = Static<typeof ToolCallSchema>

/** Messages as a prompt of the AI SDK. Tool results carry the name of their call, which the SDK requires. */
export function promptOf(messages: readonly ConversationMessage[]): LanguageModelV4Prompt {
  const names = new Map<string, string>()
  return messages.map((message): LanguageModelV4Message => {
    const { role, content = '', tool_calls = [], tool_call_id = '' } = message
    if (role === 'system') return { role, content }
    if (role === 'user') return { role, content: [{ type: 'text', text: content }] }
    if (role === 'tool') {
      const toolName = names.get(tool_call_id) ?? 'tool'
      const output = { type: 'text' as const, value: content }
      return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName, output }] }
    }
    for (const { id, name } of tool_calls) names.set(id, name)
    const calls = tool_calls.map(({ id, name, arguments: input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: parseInput(input) ?? {},
    }))
    return { role, content: [...(content === '' ? [] : [{ type: 'text' as const, text: content }]), ...calls] }
  })
}

/** A tool for a model. Its parameters may be the schema of any library that has a JSON Schema. */
export function outsideTool({
  name,
  description,
  parameters = { type: 'object', properties: {} },
}: Omit<OutsideTool, 'parameters'> & { readonly parameters?: object }): LanguageModelV4FunctionTool {
  const inputSchema: LanguageModelV4FunctionTool['inputSchema'] = asJsonSchema(parameters)
  return { type: 'function', name, inputSchema, ...(description !== undefined && { description }) }
}

export function conversationCalls(calls: ModelAnswer['toolCalls']): ConversationCall[] {
  return calls.map(({ id, name, input }) => ({ id, name, arguments: input }))
}
