import type { JsonObject } from '../json/json-value.js'
import type { ModelMessage, ModelTool, ModelUsage } from './language-models.js'
import { createToken } from './token.js'

/** A tool of an agent that is a function: it is run where the agent runs. */
export interface AgentFunction extends ModelTool {
  /** Returns what the model is told: a text, or a value that is written as JSON. What it throws is told to the model. */
  run(parameters: JsonObject, options: { readonly signal?: AbortSignal }): unknown
}

/** One turn of an agent. */
export interface AgentRequest {
  readonly name: string
  /** The instructions of the agent. */
  readonly system: string
  /** The conversation, to the message that is to be answered. */
  readonly messages: readonly Pick<ModelMessage, 'role' | 'content'>[]
  /** Chooses the model; the default model answers unless given. */
  readonly role?: string
  readonly tools?: readonly AgentFunction[]
  /** Most calls to the model. */
  readonly maxSteps?: number
  readonly signal?: AbortSignal
  /** Receives the text piece by piece while it arrives. */
  readonly onText?: (piece: string) => void
}

/** How a turn ended. */
export interface AgentTurn {
  readonly text: string
  /** `stop` if the agent has answered; otherwise what it ran into, such as `steps`. */
  readonly finish: string
  readonly steps: number
  readonly usage: ModelUsage
  readonly cost?: number
}

/** Runs agents: calls of a model and of the tools that it asks for, in turn, until it has an answer. */
export interface AgentRunner {
  run(request: AgentRequest): Promise<AgentTurn>
}

/** Stands for what runs agents in an app. `agents()` of `@minions/models` provides it; ask for it as `optional(agentRunner)`. */
export const agentRunner = createToken<AgentRunner>('@minions/core/agent-runner')
