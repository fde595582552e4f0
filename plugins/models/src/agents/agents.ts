import { everyPage, isMinionsError, type Minion, type MinionsAccess } from '@minions/core'
import { isRecord, type JsonObject } from '@minions/core/json'
import {
  type AgentRequest,
  type AgentRunner,
  type AgentTurn,
  guardMethods,
  takeList,
  takeOptions,
} from '@minions/core/plugin'
import { agentType } from '@minions/core/types'
import { type CompleteSkill, isRunnable, type Skill, type SkillsErrorCode } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { modelsError } from '../errors.js'
import { AGENT_TAG, type AgentDefinition, type AgentPart, agent } from './definition.js'
import type { AgentInput } from './loop.js'
import type { AgentServices } from './services.js'
import { AgentInputSchema, agentSkill, skillOf } from './skills.js'
import type { AgentResult } from './state.js'

/** An agent that can be asked. */
export interface OfferedAgent {
  readonly name: string
  readonly description: string
  /** Where it comes from: registered code, or a minion of the type `agent`. */
  readonly source: 'code' | 'store'
}

export interface AskOptions {
  /** On whose behalf the agent acts. This person cannot approve what it does. */
  readonly by?: string | undefined
  /** The tenant in which it acts. */
  readonly tenant?: string | undefined
  readonly signal?: AbortSignal
  /** Receives the text in chunks as it arrives. */
  readonly onText?: (piece: string) => void
}

/** The skill that runs agents of the store. */
const STORED_AGENT = 'stored-agent'
/** The skill that runs agents that exist only in this process, such as those of a workspace. */
const SESSION_AGENT = 'session-agent'
const OWN_SKILLS: readonly string[] = [STORED_AGENT, SESSION_AGENT]

/** The API of agents in an app: `app.agents`. */
export class Agents implements AgentRunner {
  readonly #services: AgentServices
  readonly #client: MinionsAccess
  readonly #listeners = new Map<string, (piece: string) => void>()
  readonly #sessions = new Map<string, AgentDefinition>()

  constructor(services: Omit<AgentServices, 'listener'>, client: MinionsAccess) {
    this.#services = { ...services, listener: (agentId) => this.#listeners.get(agentId) }
    this.#client = client
    const skills = [
      agentSkill(
        { name: STORED_AGENT, description: 'Runs an agent that is a minion of the store.' },
        Type.Object({ ...AgentInputSchema.properties, agent: Type.String() }),
        this.#services,
        async (id) => this.#definitionOf(await this.#stored(String(id))),
      ),
      agentSkill(
        { name: SESSION_AGENT, description: 'Runs one turn of an agent that exists only in this process.' },
        AgentInputSchema,
        this.#services,
        (_, { agentId }) => this.#ofSession(agentId),
      ),
    ]
    for (const skill of skills) this.#register(skill)
  }

  /** Registers agents and their skills. Throws what `registerSkill` throws. */
  add(...parts: readonly AgentPart[]): CompleteSkill[] {
    return parts.map((part) => {
      const brought = 'skills' in part ? (part.skills ?? []).filter((each) => typeof each !== 'string') : []
      for (const each of brought) {
        if (isPart(each)) this.add(each)
        else this.#register(each)
      }
      const skill = skillOf(part, this.#services)
      this.#register(skill)
      return skill
    })
  }

  /** Agents by name: those of code first, then those of the store. */
  async list(): Promise<OfferedAgent[]> {
    const skills = this.#services.skills.registry
      .listSkills([AGENT_TAG])
      .filter(({ name }) => !OWN_SKILLS.includes(name))
    const own = skills.map(({ name, description = '' }) => ({ name, description, source: 'code' as const }))
    const stored = await everyPage((next) => this.#client.find({ type: agentType, ...next }))
    const kept = stored.map(({ title, fields }) => ({
      name: title,
      description: fields.role ?? '',
      source: 'store' as const,
    }))
    return [...own, ...kept]
  }

  /**
   * Asks an agent: one registered in code, or one of the store by id or title. It is run and recorded by a subagent.
   */
  async ask(name: string, input: AgentInput, options: AskOptions = {}): Promise<AgentResult> {
    const { by, tenant, signal, onText } = takeOptions('The options of ask', options)
    const { skills } = this.#services
    const isCode =
      !OWN_SKILLS.includes(name) && skills.registry.hasSkill(name) && isAgent(skills.registry.getSkill(name))
    const [skill, params] = isCode
      ? [name, { ...input }]
      : [STORED_AGENT, { ...input, agent: (await this.#stored(name)).id }]
    const metadata = { ...(by !== undefined && { by }), ...(tenant !== undefined && { tenant_id: tenant }) }
    const { agent_id } = await skills.spawn({ name: name.slice(0, 100), metadata })
    return this.#runSkill(agent_id, skill, params, { signal, onText })
  }

  /**
   * Runs one turn of an agent that its caller owns: in the same loop as any agent, and recorded. Its functions exist
   * only in this process, so it cannot be resumed in another. Throws the error of the model, or `CANCELLED`.
   */
  async run(request: AgentRequest): Promise<AgentTurn> {
    const { name, system, messages, role, tools, maxSteps, signal, onText } = takeOptions('The request', request)
    const definition = agent({
      name,
      prompt: system,
      ...(role !== undefined && { model: role }),
      ...(tools && { functions: takeList('The tools', tools) }),
      ...(maxSteps !== undefined && { maxSteps }),
    })
    const { skills } = this.#services
    const said = takeList('The messages', messages).map(({ role: by, content }) => ({ role: by, content }))
    const { agent_id } = await skills.spawn({ name: name.slice(0, 100) })
    this.#sessions.set(agent_id, definition)
    try {
      return await this.#runSkill(agent_id, SESSION_AGENT, { messages: said }, { signal, onText })
    } catch (error) {
      throw isMinionsError<SkillsErrorCode>(error, 'SKILL_FAILED') && isMinionsError(error.cause) ? error.cause : error
    } finally {
      this.#sessions.delete(agent_id)
    }
  }

  async #runSkill(
    agentId: string,
    skill: string,
    params: object,
    { signal, onText }: { signal: AbortSignal | undefined; onText: AskOptions['onText'] | undefined },
  ): Promise<AgentResult> {
    if (onText) this.#listeners.set(agentId, onText)
    try {
      // The skill of an agent returns this and nothing else.
      return (await this.#services.skills.run(agentId, skill, { ...params }, signal && { signal })) as AgentResult
    } finally {
      this.#listeners.delete(agentId)
    }
  }

  async #stored(name: string): Promise<Minion> {
    const byId = await this.#client.get(name).catch(() => undefined)
    if (byId?.minionTypeId === agentType.id && !byId.deletedAt) return byId
    const [byTitle] = (await this.#client.find({ type: agentType, where: { title: name }, limit: 1 })).items
    if (byTitle) return byTitle
    throw modelsError(
      'NOT_FOUND',
      `There is no agent ${JSON.stringify(name.slice(0, 100))}; see them with agents.offered.`,
    )
  }

  #ofSession(agentId: string): AgentDefinition {
    const definition = this.#sessions.get(agentId)
    if (definition) return definition
    throw modelsError('NOT_FOUND', 'The agent of this run existed in a process that has ended; ask it again.')
  }

  /** The field `model` names a role; a role without a model uses the default one. */
  #definitionOf({ title, fields }: Minion): AgentDefinition {
    const { systemPrompt, model, tools, temperature, maxTokens } = fields as JsonObject
    const { registry } = this.#services.skills
    const names = Array.isArray(tools) ? tools.map(String).filter((name) => registry.hasSkill(name)) : []
    return {
      name: title,
      prompt: typeof systemPrompt === 'string' && systemPrompt !== '' ? systemPrompt : `You are ${title}.`,
      skills: names,
      ...(typeof model === 'string' && { model }),
      ...(typeof temperature === 'number' && { temperature }),
      ...(typeof maxTokens === 'number' && { maxTokens }),
    }
  }

  /** Several agents may have the same skill, and a store knows skills of an earlier run as records. */
  #register(skill: Skill): void {
    const { registry } = this.#services.skills
    const known = registry.hasSkill(skill.name, skill.version) && registry.getSkill(skill.name, skill.version)
    if (!known || !isRunnable(known)) registry.registerSkill(skill)
  }
}

guardMethods(Agents)

function isAgent({ tags }: { readonly tags: readonly string[] }): boolean {
  return tags.includes(AGENT_TAG)
}

function isPart(value: object): value is AgentPart {
  return isRecord(value) && (value.kind === 'agent' || value.kind === 'hand-over' || value.kind === 'ask-all')
}
