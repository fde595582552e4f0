import type { JsonObject } from '../json/json-value.js'
import type { ModelMessage, ModelReply, ModelRequest, ModelTool } from './language-models.js'
import { createToken } from './token.js'

/** A tool of an agent that is a function, run in the agent's process. */
export interface AgentFunction extends Omit<ModelTool, 'parameters'> {
  /** Schema of the parameters: JSON Schema, TypeBox, or a Standard Schema that has a JSON Schema. */
  readonly parameters: object
  /** Returns a string, or a value that is written as JSON, for the model; what it throws is reported to it. */
  run(parameters: JsonObject, options: { readonly signal?: AbortSignal }): unknown
}

/** One turn of an agent. */
export interface AgentRequest extends Pick<ModelRequest, 'role' | 'signal' | 'onText'> {
  readonly name: string
  /** The instructions of the agent. */
  readonly system: string
  /** The conversation, up to the message to answer. */
  readonly messages: readonly Pick<ModelMessage, 'role' | 'content'>[]
  readonly tools?: readonly AgentFunction[]
  /** Maximum number of model calls. */
  readonly maxSteps?: number
}

/** The outcome of a turn. */
export interface AgentTurn extends Pick<ModelReply, 'text' | 'usage' | 'cost'> {
  /** `stop` if the agent has answered; otherwise the limit it hit, such as `steps`. */
  readonly finish: string
  readonly steps: number
}

/** Runs agents: alternates between calls to a model and to the tools it requests, until there is an answer. */
export interface AgentRunner {
  run(request: AgentRequest): Promise<AgentTurn>
}

/** Token of the runner of agents, which `agents()` of `@minions/models` provides; use `optional(agentRunner)`. */
export const agentRunner = createToken<AgentRunner>('@minions/core/agent-runner')
