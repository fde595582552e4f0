import { agentType, isMinionsError, type Minion, type MinionsAccess } from '@minions/core'
import { isRecord, type JsonObject } from '@minions/core/json'
import {
  type AgentRequest,
  type AgentRunner,
  type AgentTurn,
  guardMethods,
  takeList,
  takeOptions,
} from '@minions/core/plugin'
import { type CompleteSkill, defineSkill, isRunnable, type Skill } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { modelsError } from '../errors.js'
import { AGENT_TAG, type AgentDefinition, type AgentPart, agent } from './definition.js'
import { type AgentInput, AgentLoop } from './loop.js'
import type { AgentServices } from './services.js'
import { AgentInputSchema, AgentResultSchema, skillOf } from './skills.js'
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

type Listeners = Map<string, (piece: string) => void>

/** The skill that runs agents of the store. */
const STORED_AGENT = 'stored-agent'
/** The skill that runs agents that exist only in this process, such as those of a workspace. */
const SESSION_AGENT = 'session-agent'
const OWN_SKILLS: readonly string[] = [STORED_AGENT, SESSION_AGENT]

/** The API of agents in an app: `app.agents`. */
export class Agents implements AgentRunner {
  readonly #services: AgentServices
  readonly #client: MinionsAccess
  readonly #listeners: Listeners
  readonly #sessions = new Map<string, AgentDefinition>()

  constructor(services: Omit<AgentServices, 'listener'>, client: MinionsAccess) {
    this.#listeners = new Map()
    this.#services = { ...services, listener: (agentId) => this.#listeners.get(agentId) }
    this.#client = client
    this.#register(this.#storedAgentSkill())
    this.#register(this.#sessionAgentSkill())
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
    const stored: OfferedAgent[] = []
    let cursor: string | null | undefined
    do {
      const page = await this.#client.find({ type: agentType, ...(cursor && { cursor }) })
      for (const { title, fields } of page.items)
        stored.push({ name: title, description: fields.role ?? '', source: 'store' })
      cursor = page.nextCursor
    } while (cursor)
    return [...own, ...stored]
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
    if (onText) this.#listeners.set(agent_id, onText)
    try {
      // The skill of an agent returns this and nothing else.
      return (await skills.run(agent_id, skill, params, signal && { signal })) as unknown as AgentResult
    } finally {
      this.#listeners.delete(agent_id)
    }
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
    if (onText) this.#listeners.set(agent_id, onText)
    try {
      const params = { messages: said }
      // As does the one of a session.
      return (await skills.run(agent_id, SESSION_AGENT, params, signal && { signal })) as unknown as AgentTurn
    } catch (error) {
      throw isMinionsError(error, 'SKILL_FAILED') && isMinionsError(error.cause) ? error.cause : error
    } finally {
      this.#sessions.delete(agent_id)
      this.#listeners.delete(agent_id)
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

  #sessionAgentSkill(): CompleteSkill {
    return defineSkill({
      name: SESSION_AGENT,
      version: '1.0.0',
      description: 'Runs one turn of an agent that exists only in this process.',
      parameters_schema: AgentInputSchema,
      returns_schema: AgentResultSchema,
      timeout: 3600,
      execute: async (input, context) => {
        const definition = this.#sessions.get(context.agentId)
        if (!definition) {
          throw modelsError('NOT_FOUND', 'The agent of this run existed in a process that has ended; ask it again.')
        }
        return AgentLoop.run(this.#services, definition, input as AgentInput, context) as Promise<never>
      },
    }) as CompleteSkill
  }

  #storedAgentSkill(): CompleteSkill {
    return defineSkill({
      name: STORED_AGENT,
      version: '1.0.0',
      description: 'Runs an agent that is a minion of the store.',
      parameters_schema: Type.Object({ ...AgentInputSchema.properties, agent: Type.String() }),
      returns_schema: AgentResultSchema,
      timeout: 3600,
      execute: async ({ agent, ...input }, context) => {
        const definition = this.#definitionOf(await this.#stored(String(agent)))
        return AgentLoop.run(this.#services, definition, input as AgentInput, context) as Promise<never>
      },
    }) as CompleteSkill
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
