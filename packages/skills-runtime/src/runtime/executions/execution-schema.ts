import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'

/** How an execution stands: `pending` until it ends, cancelled ones end as `failed`. */
export const EXECUTION_STATUSES = ['pending', 'success', 'failed', 'timeout'] as const

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The record of one execution of a skill, over all its attempts. */
export const SkillExecutionSchema = described(
  Type.Object({
    execution_id: Id,
    agent_id: Id,
    skill_name: AnySkillName,
    skill_version: AnyVersion,
    parameters: JsonRecord,
    result: nullable(JsonRecord),
    error: nullable(Type.String()),
    status: Type.Enum(EXECUTION_STATUSES),
    started_at: nullable(Timestamp),
    completed_at: nullable(Timestamp),
    duration_ms: nullable(Type.Integer({ minimum: 0, description: 'Milliseconds from started_at to completed_at.' })),
    retry_count: Type.Integer({ minimum: 0 }),
  }),
  {
    parameters: 'What the skill was given, by name, with defaults filled in.',
    result: 'What came of it; null unless it succeeded.',
    error: 'Why it failed.',
    status: 'How it stands.',
    started_at: 'When its first attempt began.',
    completed_at: 'When it ended.',
    duration_ms: 'Milliseconds from started_at to completed_at.',
    retry_count: 'How often it was tried again.',
  },
)

export type SkillExecution = Static<typeof SkillExecutionSchema>
