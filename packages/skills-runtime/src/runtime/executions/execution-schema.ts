import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'

/** The status of an execution: `pending` until it ends; cancelled ones end as `failed`. */
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
    parameters: 'The parameters of the skill, with defaults filled in.',
    result: 'Its result; null unless it succeeded.',
    error: 'Why it failed.',
    status: 'Its status.',
    started_at: 'When its first attempt started.',
    completed_at: 'When it ended.',
    duration_ms: 'Milliseconds from started_at to completed_at.',
    retry_count: 'Number of retries.',
  },
)

export type SkillExecution = Static<typeof SkillExecutionSchema>
