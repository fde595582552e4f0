import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'
import { AGENT_STATES } from './agent-state.js'

/** The limits of a subagent's attributes. */
export const SUBAGENT_LIMITS = { name: 100, error: 1000, metadata: 20 } as const

/** The record of one subagent: what it runs, its state and its results. */
export const SubagentSchema = Type.Object({
  agent_id: Id,
  name: about(nullable(Type.String({ maxLength: SUBAGENT_LIMITS.name })), 'Its name.'),
  state: about(Type.Enum(AGENT_STATES), 'Its status.'),
  assigned_skill: about(nullable(AnySkillName), 'The skill that it runs.'),
  skill_params: about(nullable(JsonRecord), 'The parameters of the skill.'),
  results: Type.Unsafe<Record<string, Record<string, unknown>>>({
    type: 'object',
    additionalProperties: { type: 'object' },
    description: 'Results by skill name.',
  }),
  error: about(
    nullable(Type.String({ maxLength: SUBAGENT_LIMITS.error })),
    'Why it failed, truncated at 1,000 characters.',
  ),
  created_at: Timestamp,
  started_at: about(nullable(Timestamp), 'When it started.'),
  completed_at: about(nullable(Timestamp), 'When it ended.'),
  metadata: about(
    nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: SUBAGENT_LIMITS.metadata })),
    'Metadata, by name.',
  ),
})

export type Subagent = Static<typeof SubagentSchema>
