import { quote } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { type AgentFunction, guarded, takeList, takeOptions } from '@minions/core/plugin'
import type { PromptReference } from '@minions/prompts'
import type { Skill } from '@minions/skills-runtime'
import { modelsError } from '../errors.js'
import type { LanguageModel } from '../provider/language-model.js'

/** Limits of one run of an agent, including the agents it asks. It stops before the next call. */
export interface AgentBudget {
  readonly tokens?: number
  /** In the currency of the price table; the price of the model must be known. */
  readonly cost?: number
  /** Working time; pauses and the time in which a person decides do not count. */
  readonly seconds?: number
}

/** The instructions of an agent: a string, or a stored prompt that is rendered when a run begins. */
export type AgentPrompt = string | { readonly prompt: PromptReference; readonly variables?: JsonObject }

/** An agent: a model that works on an input with the skills it is given. */
export interface AgentDefinition {
  readonly kind?: 'agent'
  /** Name of the skill that the agent is: letters, digits and hyphens, 3 to 50. */
  readonly name: string
  /** 1.0.0 by default. */
  readonly version?: string
  /** Describes its purpose to other agents and clients. */
  readonly description?: string
  /** A role of `models({ roles })`, or a model; without it, the default model. */
  readonly model?: string | LanguageModel
  readonly prompt: AgentPrompt
  /** Skills that it may use: names, or skills, which are registered with it. Other agents are skills too. */
  readonly skills?: readonly (string | Skill | AgentPart)[]
  /**
   * Tools that are functions of this process instead of skills: they are not recorded, and a resume runs them again.
   */
  readonly functions?: readonly AgentFunction[]
  /** Maximum number of calls to the model; 10 by default. */
  readonly maxSteps?: number
  readonly budget?: AgentBudget
  readonly temperature?: number
  /** Maximum number of tokens of one answer. */
  readonly maxTokens?: number
}

/** Tags of skills that call models: agents, and those that delegate to agents. */
export const AGENT_TAG = 'agent'
export const HAND_OVER_TAG = 'hand-over'
export const ASK_ALL_TAG = 'ask-all'
export const ASKING_TAGS: readonly string[] = [AGENT_TAG, HAND_OVER_TAG, ASK_ALL_TAG]

/** Delegates a task: the chosen agent gives the answer, with which the delegating agent ends. */
export interface HandOverDefinition {
  readonly kind: 'hand-over'
  readonly name: string
  /** Names of the agents to choose from. */
  readonly to: readonly string[]
}

/** Asks several agents the same thing concurrently. */
export interface AskAllDefinition {
  readonly kind: 'ask-all'
  readonly name: string
  /** Names of the agents that are asked. */
  readonly agents: readonly string[]
}

/** Everything that `agents` can register. */
export type AgentPart = AgentDefinition | HandOverDefinition | AskAllDefinition

export const DEFAULT_STEPS = 10

/** Checks the definition of an agent. Register it with `agents({ agents: […] })`, or with `app.agents.add`. */
export const agent = guarded('agent', (definition: AgentDefinition): AgentDefinition => {
  const taken = takeOptions('The definition of an agent', definition)
  const { name, prompt, maxSteps = DEFAULT_STEPS, budget = {}, skills = [] } = taken
  const isText = typeof prompt === 'string' && prompt !== ''
  if (!isText && !(typeof prompt === 'object' && prompt !== null && 'prompt' in prompt)) {
    throw invalid(name, '`prompt` must be a string, or { prompt, variables }')
  }
  if (!Number.isInteger(maxSteps) || maxSteps < 1) throw invalid(name, '`maxSteps` must be a positive whole number')
  for (const [limit, value] of Object.entries(takeOptions('The budget of an agent', budget))) {
    if (value !== undefined && !(value > 0)) throw invalid(name, `\`budget.${limit}\` must be more than 0`)
  }
  takeList('The skills of an agent', skills)
  return Object.freeze({ ...taken, kind: 'agent' })
})

/** A skill with which an agent hands over to another one. */
export const handOver = guarded('handOver', handOverUnchecked)

function handOverUnchecked({ name = 'hand-over', to }: { readonly name?: string; readonly to: readonly string[] }) {
  return Object.freeze({ kind: 'hand-over', name, to: takeNames(name, to) }) satisfies HandOverDefinition
}

/** A skill with which an agent asks several others concurrently, and gets all their answers. */
export const askAll = guarded('askAll', askAllUnchecked)

function askAllUnchecked({ name = 'ask-all', agents }: { readonly name?: string; readonly agents: readonly string[] }) {
  return Object.freeze({ kind: 'ask-all', name, agents: takeNames(name, agents) }) satisfies AskAllDefinition
}

function takeNames(name: string, agents: readonly string[]): string[] {
  const taken = takeList('The names of agents', agents)
  if (taken.length > 0 && taken.every((each) => typeof each === 'string')) return taken
  throw invalid(name, 'it needs a list of names of agents')
}

function invalid(name: unknown, what: string): Error {
  return modelsError('VALIDATION_FAILED', `The agent ${quote(name)} cannot be used: ${what}.`)
}
