import type { JsonObject, JsonValue } from '@minions/core/json'
import { type CompleteSkill, defineSkill, type SkillContext } from '@minions/skills-runtime'
import { Type } from 'typebox'
import { MessageSchema, OutsideToolSchema, ToolCallSchema } from '../door/conversation.js'
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
import { type AgentInput, AgentLoop } from './loop.js'
import type { AgentServices } from './services.js'
import { spentIn } from './spent-in.js'
import { AGENT_FINISHES, addSpent, NOTHING_SPENT } from './state.js'

/** Maximum duration of a skill, in seconds; the budget of an agent limits it further. */
const TIMEOUT = 3600

export const AgentInputSchema = Type.Object(
  {
    input: Type.Optional(Type.String({ description: 'The question or task.', examples: ['Is it warm in Paris?'] })),
    messages: Type.Optional(
      Type.Array(MessageSchema, {
        description: 'A conversation that precedes the input, or replaces it.',
        examples: [[{ role: 'user', content: 'Is it warm in Paris?' }]],
      }),
    ),
    tools: Type.Optional(
      Type.Array(OutsideToolSchema, {
        description: 'Tools that the caller runs itself; a call to one ends the run.',
        examples: [[{ name: 'open-door', parameters: { type: 'object' } }]],
      }),
    ),
  },
  { additionalProperties: false },
)

export const AgentResultSchema = Type.Object({
  text: Type.String(),
  finish: Type.Enum(AGENT_FINISHES),
  steps: Type.Integer(),
  usage: Type.Object({
    inputTokens: Type.Integer(),
    outputTokens: Type.Integer(),
    totalTokens: Type.Integer(),
    estimated: Type.Optional(Type.Boolean()),
  }),
  cost: Type.Optional(Type.Number()),
  tool_calls: Type.Optional(Type.Array(ToolCallSchema)),
  handed_over_to: Type.Optional(Type.String()),
})

/** The skill of an agent, or of a delegation to agents. */
export function skillOf(part: AgentPart, services: AgentServices): CompleteSkill {
  if (part.kind === 'hand-over') return handOverSkill(part, services)
  if (part.kind === 'ask-all') return askAllSkill(part, services)
  return agentSkill(part, services)
}

function agentSkill(definition: AgentDefinition, services: AgentServices): CompleteSkill {
  const { name, version = '1.0.0', description } = definition
  return defineSkill({
    name,
    version,
    ...(description !== undefined && { description }),
    parameters_schema: AgentInputSchema,
    returns_schema: AgentResultSchema,
    timeout: TIMEOUT,
    tags: [AGENT_TAG],
    execute: (input, context) => AgentLoop.run(services, definition, input as AgentInput, context) as Promise<never>,
  }) as CompleteSkill
}

function handOverSkill({ name, to }: HandOverDefinition, services: AgentServices): CompleteSkill {
  return defineSkill({
    name,
    version: '1.0.0',
    description: `Hands the task over to another agent, which answers in your place: ${to.join(', ')}.`.slice(0, 500),
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
    description: `Asks these agents the same thing at once and returns all their answers: ${agents.join(', ')}.`.slice(
      0,
      500,
    ),
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

/** Asks agents in subagents that are stored before they start, so that a resume asks none of them again. */
async function askAgents(
  { skills }: AgentServices,
  agents: readonly string[],
  input: string,
  context: SkillContext,
): Promise<ChildOutcome[]> {
  const children = new Children(skills, context)
  let ids = (context.state as { readonly ids: readonly string[] } | undefined)?.ids
  if (ids === undefined) {
    ids = await Promise.all(agents.map(() => children.spawn()))
    await context.checkpoint({ ids })
  }
  const known = ids
  const ask = (agent: string, index: number) => children.outcome(known[index] as string, agent, { input } as JsonObject)
  try {
    return await Promise.all(agents.map(ask))
  } catch (error) {
    // The runtime is shutting down: it ends the run at a checkpoint, from which it is resumed.
    if (!context.signal.aborted) await context.checkpoint({ ids })
    throw error
  }
}
