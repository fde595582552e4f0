import { workspaceError } from '../errors.js'
import { type ChatMessage, callModel, type Model, type Usage } from './model.js'
import { type AgentTool, callTool, type ToolCall } from './tool.js'

/** What a model said, and what it cost, as far as it got. */
export interface Conversation {
  reply: string
  usage: Usage | undefined
}

export interface ConversationParts {
  readonly model: Model
  readonly tools: readonly AgentTool[]
  /** How often the model may ask for tools. */
  readonly maxToolRounds: number
  readonly signal: AbortSignal | undefined
  /** Notes the result of a tool before the model is told. */
  readonly note: (call: ToolCall, result: string) => Promise<void>
}

/** Talks with a model, and runs the tools that it asks for, until it asks for none. Gives its text as it arrives. */
export async function* converse(
  messages: readonly ChatMessage[],
  { model, tools, maxToolRounds, signal, note }: ConversationParts,
  said: Conversation,
): AsyncGenerator<string, void> {
  const told = [...messages]
  const options = { ...(signal && { signal }), ...(tools.length > 0 && { tools }) }
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
      throw workspaceError('MODEL_FAILED', `The model asked for tools more than ${maxToolRounds} times in one run.`)
    }
    told.push({ role: 'assistant', content, toolCalls: calls })
    for (const call of calls) {
      const result = await callTool(tools, call, signal)
      await note(call, result)
      told.push({ role: 'tool', content: result, toolCallId: call.id })
    }
  }
}

/** Numbers are added up over the calls of a run; of anything else the last counts. */
function sumOf(earlier: Usage | undefined, latest: Usage | undefined): Usage | undefined {
  if (earlier === undefined || latest === undefined) return latest ?? earlier
  const sums = Object.entries(latest).map(([key, value]) => {
    const before = Object.hasOwn(earlier, key) ? earlier[key] : undefined
    return [key, typeof value === 'number' && typeof before === 'number' ? value + before : value]
  })
  return { ...earlier, ...Object.fromEntries(sums) }
}
