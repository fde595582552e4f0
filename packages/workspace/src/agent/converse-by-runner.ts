import type { AgentRunner } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import type { Conversation, ConversationParts } from './converse.js'
import type { ChatMessage } from './model.js'
import { piecesOf } from './pieces-of.js'
import { callTool } from './tool.js'

export const WORKSPACE_ROLE = 'workspace'

/**
 * Talks with a model through the app's agent runner, which records each turn, enforces the limits of the models, and
 * runs the tools. Yields the text as it arrives.
 */
export async function* converseByRunner(
  runner: AgentRunner,
  name: string,
  [system, ...messages]: readonly ChatMessage[],
  { tools, maxToolRounds, signal, note }: Omit<ConversationParts, 'model'>,
  said: Conversation,
): AsyncGenerator<string, void> {
  const functions = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters,
    run: async (parameters: Parameters<typeof tool.run>[0], options: { readonly signal?: AbortSignal }) => {
      const call = { id: '', name: tool.name, arguments: parameters }
      const result = await callTool(tools, call, options.signal)
      await note(call, result)
      return result
    },
  }))
  const turn = piecesOf(
    (onText, stop) =>
      runner.run({
        name,
        system: system?.content ?? '',
        messages,
        role: WORKSPACE_ROLE,
        tools: functions,
        maxSteps: maxToolRounds + 1,
        signal: stop,
        onText: (text) => {
          said.reply += text
          onText(text)
        },
      }),
    signal,
  )
  const { usage, finish } = yield* turn
  said.usage = { ...usage }
  if (finish === 'steps') {
    throw workspaceError('MODEL_FAILED', `The model requested tools more than ${maxToolRounds} times in one run.`)
  }
  if (finish === 'repeated') throw workspaceError('MODEL_FAILED', 'The model kept requesting the same tools.')
}
