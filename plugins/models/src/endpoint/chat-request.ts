import { isRecord, type JsonObject } from '@minions/core/json'
import type { ConversationMessage, OutsideTool } from '../door/conversation.js'
import { modelsError } from '../errors.js'

/** The supported part of a chat completions request. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ConversationMessage[]
  readonly tools: readonly OutsideTool[]
  readonly toolChoice?: string
  readonly schema?: JsonObject
  readonly maxTokens?: number
  readonly temperature?: number
  readonly stop?: readonly string[]
  readonly stream: boolean
  readonly includeUsage: boolean
}

/** Reads the body of a request. Throws `VALIDATION_FAILED`, with the name of the parameter. */
export function readChatRequest(body: unknown): ChatRequest {
  if (!isRecord(body)) throw invalid('body', 'it must be a JSON object')
  const { model, messages, tools, n, stream, stream_options } = body
  if (typeof model !== 'string' || model === '')
    throw invalid('model', 'it must name an agent, or a role of the models')
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'there must be at least one')
  if (n !== undefined && n !== null && n !== 1) throw invalid('n', 'only one answer is supported')
  const maxTokens = body.max_completion_tokens ?? body.max_tokens
  const stop = typeof body.stop === 'string' ? [body.stop] : body.stop
  const toolChoice = choiceOf(body.tool_choice)
  const schema = schemaOf(body.response_format)
  return {
    model,
    messages: messages.map((message, index) => readMessage(message, `messages[${index}]`)),
    tools: (Array.isArray(tools) ? tools : []).map((tool, index) => readTool(tool, `tools[${index}]`)),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(schema && { schema }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
    ...(typeof body.temperature === 'number' && { temperature: body.temperature }),
    ...(Array.isArray(stop) && { stop: stop.map(String) }),
    stream: stream === true,
    includeUsage: isRecord(stream_options) && stream_options.include_usage === true,
  }
}

function readMessage(value: unknown, where: string): ConversationMessage {
  if (!isRecord(value)) throw invalid(where, 'it must be an object')
  const role = value.role === 'developer' ? 'system' : value.role
  if (role !== 'system' && role !== 'user' && role !== 'assistant' && role !== 'tool') {
    throw invalid(`${where}.role`, 'it must be system, developer, user, assistant or tool')
  }
  const calls = Array.isArray(value.tool_calls) ? value.tool_calls : []
  return {
    role,
    content: textOf(value.content, `${where}.content`),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => readCall(call, `${where}.tool_calls[${index}]`)),
    }),
    ...(typeof value.tool_call_id === 'string' && { tool_call_id: value.tool_call_id }),
  }
}

function textOf(content: unknown, where: string): string {
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw invalid(where, 'it must be a string, or a list of parts')
  return content
    .map((part: unknown) => {
      if (isRecord(part) && part.type === 'text' && typeof part.text === 'string') return part.text
      throw invalid(where, 'only text parts are supported')
    })
    .join('')
}

function readCall(value: unknown, where: string) {
  const called = isRecord(value) && isRecord(value.function) ? value.function : {}
  const { name, arguments: input } = called
  if (!isRecord(value) || typeof value.id !== 'string' || typeof name !== 'string' || typeof input !== 'string') {
    throw invalid(where, 'it needs an id, and a function with name and arguments')
  }
  return { id: value.id, name, arguments: input }
}

function readTool(value: unknown, where: string): OutsideTool {
  const tool = isRecord(value) && value.type === 'function' && isRecord(value.function) ? value.function : {}
  const { name, description, parameters } = tool
  if (typeof name !== 'string' || name === '') throw invalid(where, 'only functions with a name are supported')
  return {
    name,
    ...(typeof description === 'string' && { description }),
    ...(isRecord(parameters) && { parameters }),
  }
}

function choiceOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const chosen = isRecord(value) && isRecord(value.function) ? value.function.name : undefined
  return typeof chosen === 'string' ? chosen : undefined
}

function schemaOf(value: unknown): JsonObject | undefined {
  const format = isRecord(value) && isRecord(value.json_schema) ? value.json_schema.schema : undefined
  return isRecord(format) ? (format as JsonObject) : undefined
}

function invalid(param: string, reason: string): Error {
  return modelsError('VALIDATION_FAILED', `${param} is not valid: ${reason}.`, { details: { param } })
}
