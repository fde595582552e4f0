import { asJsonSchema } from '@minions/core/schema'
import { workspaceError } from '../errors.js'
import { type ChatMessage, callModel, type Model, type Usage } from './model.js'
import { type AgentTool, callTool, type ToolCall } from './tool.js'

/** The output of a model and its usage so far. */
export interface Conversation {
  reply: string
  usage: Usage | undefined
}

export interface ConversationParts {
  readonly model: Model
  readonly tools: readonly AgentTool[]
  readonly maxToolRounds: number
  readonly signal: AbortSignal | undefined
  /** Records the result of a tool before it is passed to the model. */
  readonly note: (call: ToolCall, result: string) => Promise<void>
}

/** Talks with a model, and runs the tools it requests, until it requests none. Yields its text as it arrives. */
export async function* converse(
  messages: readonly ChatMessage[],
  { model, tools, maxToolRounds, signal, note }: ConversationParts,
  said: Conversation,
): AsyncGenerator<string, void> {
  const told = [...messages]
  const described = tools.map((tool) => ({ ...tool, parameters: asJsonSchema(tool.parameters) }))
  const options = { ...(signal && { signal }), ...(tools.length > 0 && { tools: described }) }
  for (let round = 0; ; round++) {
    const calls: ToolCall[] = []
    let content = ''
    let usage: Usage | undefined
    for await (const part of callModel(model, told, options)) {
      usage = part.usage ?? usage
      content += part.text
      said.reply += part.text
      calls.push(...(part.toolCalls ?? []))
      if (part.text !== '') yield part.text
    }
    said.usage = sumOf(said.usage, usage)
    if (calls.length === 0) return
    if (round === maxToolRounds) {
      throw workspaceError('MODEL_FAILED', `The model requested tools more than ${maxToolRounds} times in one run.`)
    }
    told.push({ role: 'assistant', content, toolCalls: calls })
    for (const call of calls) {
      const result = await callTool(tools, call, signal)
      await note(call, result)
      told.push({ role: 'tool', content: result, toolCallId: call.id })
    }
  }
}

/** Numbers are summed over the calls of a run; for anything else the last value wins. */
function sumOf(earlier: Usage | undefined, latest: Usage | undefined): Usage | undefined {
  if (earlier === undefined || latest === undefined) return latest ?? earlier
  const sums = Object.entries(latest).map(([key, value]) => {
    const before = Object.hasOwn(earlier, key) ? earlier[key] : undefined
    return [key, typeof value === 'number' && typeof before === 'number' ? value + before : value]
  })
  return { ...earlier, ...Object.fromEntries(sums) }
}
