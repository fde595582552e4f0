import { isMinionsError, messageOf } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { AgentFunction } from '@minions/core/plugin'
import type { ChildOutcome } from './children.js'

/** Runs a tool that is a function of this process; an error is reported to the model, unless the run has ended. */
export async function runFunction(tool: AgentFunction, input: JsonObject, signal: AbortSignal): Promise<ChildOutcome> {
  try {
    const result = await tool.run(input, { signal })
    return { result: {}, text: typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null') }
  } catch (error) {
    signal.throwIfAborted()
    return { error: isMinionsError(error) ? `${error.code}: ${messageOf(error)}` : messageOf(error) }
  }
}
