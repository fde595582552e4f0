import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { isMinionsError, messageOf } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import type { AgentFunction } from '@minions/core/plugin'
import { outsideTool } from '../door/conversation.js'
import type { ChildOutcome } from './children.js'

/** The tools of an agent that are functions of this process. */
export class Functions {
  readonly #byName: ReadonlyMap<string, AgentFunction>

  constructor(functions: readonly AgentFunction[]) {
    this.#byName = new Map(functions.map((each) => [each.name, each]))
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  names(): string[] {
    return [...this.#byName.keys()]
  }

  /** Their descriptions for a model. */
  tools(): LanguageModelV4FunctionTool[] {
    return [...this.#byName.values()].map(outsideTool)
  }

  /** Runs one; an error is reported to the model, unless the run has ended. */
  async run(name: string, input: JsonObject, signal: AbortSignal): Promise<ChildOutcome> {
    try {
      const result = await this.#byName.get(name)?.run(input, { signal })
      return { result: {}, text: typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null') }
    } catch (error) {
      signal.throwIfAborted()
      return { error: isMinionsError(error) ? `${error.code}: ${messageOf(error)}` : messageOf(error) }
    }
  }
}
