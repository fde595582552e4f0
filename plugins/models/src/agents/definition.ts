import { quote } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { type AgentFunction, guarded, takeList, takeOptions } from '@minions/core/plugin'
import type { PromptReference } from '@minions/prompts'
import type { Skill } from '@minions/skills-runtime'
import { modelsError } from '../errors.js'
import type { LanguageModel } from '../provider/language-model.js'

/** Limits of one run of an agent, with the agents that it asks. It stops before the call that would come next. */
export interface AgentBudget {
  readonly tokens?: number
  /** In the currency of the price table; the price of the model must be known. */
  readonly cost?: number
  /** Time in which a process works on it; a pause does not count, nor the time in which a person decides on what it does. */
  readonly seconds?: number
}

/** The instructions of an agent: a text, or a stored prompt that is rendered when a run begins. */
export type AgentPrompt = string | { readonly prompt: PromptReference; readonly variables?: JsonObject }

/** An agent: a model that works on an input with the skills it is given. */
export interface AgentDefinition {
  readonly kind?: 'agent'
  /** Name of the skill that the agent is: letters, digits and hyphens, 3 to 50. */
  readonly name: string
  /** 1.0.0 by default. */
  readonly version?: string
  /** Tells other agents and clients what it is good for. */
  readonly description?: string
  /** A role of `models({ roles })`, or a model; the default model by default. */
  readonly model?: string | LanguageModel
  readonly prompt: AgentPrompt
  /** Skills that it may use: names, or skills, which are registered with it. Other agents are skills too. */
  readonly skills?: readonly (string | Skill | AgentPart)[]
  /** Tools that are functions of this process and not skills: nothing is recorded of them, and a resume runs them again. */
  readonly functions?: readonly AgentFunction[]
  /** Maximum number of calls to the model; 10 by default. */
  readonly maxSteps?: number
  readonly budget?: AgentBudget
  readonly temperature?: number
  /** Maximum number of tokens of one answer. */
  readonly maxTokens?: number
}

/** Tags of skills that ask models: agents, and those that pass on to agents. */
export const AGENT_TAG = 'agent'
export const HAND_OVER_TAG = 'hand-over'
export const ASK_ALL_TAG = 'ask-all'
export const ASKING_TAGS: readonly string[] = [AGENT_TAG, HAND_OVER_TAG, ASK_ALL_TAG]

/** Passes a task on: the chosen agent gives the answer, and the one that handed over ends with it. */
export interface HandOverDefinition {
  readonly kind: 'hand-over'
  readonly name: string
  /** Names of the agents to choose from. */
  readonly to: readonly string[]
}

/** Asks several agents the same at once. */
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
export const agent = guarded('agent', agentUnchecked)

function agentUnchecked(definition: AgentDefinition): AgentDefinition {
  const taken = takeOptions('The definition of an agent', definition)
  const { name, prompt, maxSteps = DEFAULT_STEPS, budget = {}, skills = [] } = taken
  const isText = typeof prompt === 'string' && prompt !== ''
  if (!isText && !(typeof prompt === 'object' && prompt !== null && 'prompt' in prompt)) {
    throw invalid(name, '`prompt` must be a text, or { prompt, variables }')
  }
  if (!Number.isInteger(maxSteps) || maxSteps < 1) throw invalid(name, '`maxSteps` must be a whole number from 1')
  for (const [limit, value] of Object.entries(takeOptions('The budget of an agent', budget))) {
    if (value !== undefined && !(value > 0)) throw invalid(name, `\`budget.${limit}\` must be more than 0`)
  }
  takeList('The skills of an agent', skills)
  return Object.freeze({ ...taken, kind: 'agent' })
}

/** A skill by which an agent hands over to another one. */
export const handOver = guarded('handOver', handOverUnchecked)

function handOverUnchecked({ name = 'hand-over', to }: { readonly name?: string; readonly to: readonly string[] }) {
  return Object.freeze({ kind: 'hand-over', name, to: takeNames(name, to) }) satisfies HandOverDefinition
}

/** A skill by which an agent asks several others at once, and gets all their answers. */
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
