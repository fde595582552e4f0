import type { LanguageModels, ModelMessage } from '@minions/core/plugin'
import { WORKSPACE_ROLE } from './converse-by-runner.js'
import type { ChatMessage, Model, ModelPart } from './model.js'
import { piecesOf } from './pieces-of.js'

/** The models of an app as the model of an agent: yields text in chunks, with tool calls and usage in the last. */
export function appModel(models: LanguageModels): Model {
  return async function* (messages, { signal, tools }): AsyncGenerator<ModelPart> {
    const request = { messages: messages.map(toModelMessage), role: WORKSPACE_ROLE }
    const asking = piecesOf(
      (onText, stop) => models.ask({ ...request, onText, signal: stop, ...(tools && { tools }) }),
      signal,
    )
    let step = await asking.next()
    try {
      for (; !step.done; step = await asking.next()) yield { text: step.value }
    } finally {
      if (!step.done) await asking.return(undefined as never)
    }
    const { usage, toolCalls } = step.value
    yield { text: '', usage: { ...usage }, ...(toolCalls && { toolCalls }) }
  }
}

function toModelMessage({ toolCalls, ...message }: ChatMessage): ModelMessage {
  if (toolCalls === undefined) return message
  const calls = toolCalls.map(({ arguments: given, ...call }) => ({
    ...call,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
  }))
  return { ...message, toolCalls: calls }
}
