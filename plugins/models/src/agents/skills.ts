import type { JsonValue } from '@minions/core/json'
import { property } from '@minions/core/operations'
import { strictObject } from '@minions/core/schema'
import { type CompleteSkill, defineSkill, SKILL_LIMITS, type Skill, type SkillContext } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { MessageSchema, OutsideToolSchema } from '../door/conversation.js'
import { type ChildOutcome, Children } from './children.js'
import {
  AGENT_TAG,
  type AgentDefinition,
  type AgentPart,
  ASK_ALL_TAG,
  type AskAllDefinition,
  HAND_OVER_TAG,
  type HandOverDefinition,
} from './definition.js'
import { AgentLoop } from './loop.js'
import type { AgentServices } from './services.js'
import { AgentResultSchema, addSpent, NOTHING_SPENT, spentIn } from './state.js'

/** Maximum duration of a skill, in seconds; the budget of an agent limits it further. */
const TIMEOUT = 3600

export const AgentInputSchema = strictObject({
  input: Type.Optional(property.text('The question or task.', 'Is it warm in Paris?')),
  messages: Type.Optional(
    property.list(MessageSchema, 'A conversation that precedes the input, or replaces it.', {
      role: 'user',
      content: 'Is it warm in Paris?',
    }),
  ),
  tools: Type.Optional(
    property.list(OutsideToolSchema, 'Tools that the caller runs itself; a call to one ends the run.', {
      name: 'open-door',
      parameters: { type: 'object' },
    }),
  ),
})

/** The skill of an agent, or of a delegation to agents. */
export function skillOf(part: AgentPart, services: AgentServices): CompleteSkill {
  if (part.kind === 'hand-over') return handOverSkill(part, services)
  if (part.kind === 'ask-all') return askAllSkill(part, services)
  const { name, version, description } = part
  const about = { name, tags: [AGENT_TAG], ...(version && { version }), ...(description && { description }) }
  return agentSkill(about, AgentInputSchema, services, () => part)
}

/** A skill that runs an agent: always the same one, or the one that its input or its subagent stands for. */
export function agentSkill(
  about: Pick<Skill, 'name' | 'description' | 'tags'> & { readonly version?: string },
  parameters: object,
  services: AgentServices,
  definitionOf: (agent: unknown, context: SkillContext) => AgentDefinition | Promise<AgentDefinition>,
): CompleteSkill {
  return defineSkill({
    version: '1.0.0',
    ...about,
    parameters_schema: parameters,
    returns_schema: AgentResultSchema,
    timeout: TIMEOUT,
    async execute(given: Record<string, unknown>, context) {
      const { agent, ...input } = given
      return AgentLoop.run(services, await definitionOf(agent, context), input, context)
    },
  }) as CompleteSkill
}

function handOverSkill({ name, to }: HandOverDefinition, services: AgentServices): CompleteSkill {
  return defineSkill({
    name,
    version: '1.0.0',
    description: cut(`Hands the task over to another agent, which answers in your place: ${to.join(', ')}.`),
    parameters_schema: Type.Object({ agent: Type.Enum([...to]), input: Type.String({ minLength: 1 }) }),
    timeout: TIMEOUT,
    tags: [HAND_OVER_TAG],
    async execute({ agent, input }, context) {
      const [outcome] = await askAgents(services, [String(agent)], String(input), context)
      if (outcome === undefined || 'error' in outcome) throw new Error(outcome?.error ?? 'No agent was asked.')
      return { ...outcome.result, agent }
    },
  }) as CompleteSkill
}

function askAllSkill({ name, agents }: AskAllDefinition, services: AgentServices): CompleteSkill {
  return defineSkill({
    name,
    version: '1.0.0',
    description: cut(`Asks these agents the same thing at once and returns all their answers: ${agents.join(', ')}.`),
    parameters_schema: Type.Object({ input: Type.String({ minLength: 1 }) }),
    timeout: TIMEOUT,
    tags: [ASK_ALL_TAG],
    async execute({ input }, context) {
      const outcomes = await askAgents(services, agents, String(input), context)
      let spent = NOTHING_SPENT
      const answers: Record<string, JsonValue> = {}
      for (const [index, outcome] of outcomes.entries()) {
        if ('result' in outcome) spent = addSpent(spent, spentIn(outcome.result))
        answers[agents[index] as string] =
          'error' in outcome ? { error: outcome.error } : { text: outcome.result.text ?? '' }
      }
      const { cost, estimated: _, ...usage } = spent
      return { answers, usage, cost }
    },
  }) as CompleteSkill
}

function cut(description: string): string {
  return description.slice(0, SKILL_LIMITS.description)
}

/** Asks agents in subagents that are stored before they start, so that a resume asks none of them again. */
async function askAgents(
  { skills }: AgentServices,
  agents: readonly string[],
  input: string,
  context: SkillContext,
): Promise<ChildOutcome[]> {
  const children = new Children(skills, context)
  const known = (context.state as { readonly ids: readonly string[] } | undefined)?.ids
  const ids = known ?? (await Promise.all(agents.map(() => children.spawn())))
  if (!known) await context.checkpoint({ ids })
  try {
    return await Promise.all(agents.map((agent, index) => children.outcome(ids[index] as string, agent, { input })))
  } catch (error) {
    // The runtime is shutting down: it ends the run at a checkpoint, from which it is resumed.
    if (!context.signal.aborted) await context.checkpoint({ ids })
    throw error
  }
}
