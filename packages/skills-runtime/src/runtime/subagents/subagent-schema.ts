import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'
import { AGENT_STATES } from './agent-state.js'

/** The limits of a subagent's attributes. */
export const SUBAGENT_LIMITS = { name: 100, error: 1000, metadata: 20 } as const

/** The record of one subagent: what it runs, its state and its results. */
export const SubagentSchema = described(
  Type.Object({
    agent_id: Id,
    name: nullable(Type.String({ maxLength: SUBAGENT_LIMITS.name })),
    state: Type.Enum(AGENT_STATES),
    assigned_skill: nullable(AnySkillName),
    skill_params: nullable(JsonRecord),
    results: Type.Unsafe<Record<string, Record<string, unknown>>>({
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'Results by skill name.',
    }),
    error: nullable(Type.String({ maxLength: SUBAGENT_LIMITS.error })),
    created_at: Timestamp,
    started_at: nullable(Timestamp),
    completed_at: nullable(Timestamp),
    metadata: nullable(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: SUBAGENT_LIMITS.metadata }),
    ),
  }),
  {
    name: 'Its name.',
    state: 'Its status.',
    assigned_skill: 'The skill that it runs.',
    skill_params: 'The parameters of the skill.',
    error: 'Why it failed, truncated at 1,000 characters.',
    started_at: 'When it started.',
    completed_at: 'When it ended.',
    metadata: 'Metadata, by name.',
  },
)

export type Subagent = Static<typeof SubagentSchema>
