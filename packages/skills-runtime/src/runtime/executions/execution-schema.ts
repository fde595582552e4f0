import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'

/** The status of an execution: `pending` until it ends; cancelled ones end as `failed`. */
export const EXECUTION_STATUSES = ['pending', 'success', 'failed', 'timeout'] as const

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The record of one execution of a skill, over all its attempts. */
export const SkillExecutionSchema = Type.Object({
  execution_id: Id,
  agent_id: Id,
  skill_name: AnySkillName,
  skill_version: AnyVersion,
  parameters: about(JsonRecord, 'The parameters of the skill, with defaults filled in.'),
  result: about(nullable(JsonRecord), 'Its result; null unless it succeeded.'),
  error: about(nullable(Type.String()), 'Why it failed.'),
  status: about(Type.Enum(EXECUTION_STATUSES), 'Its status.'),
  started_at: about(nullable(Timestamp), 'When its first attempt started.'),
  completed_at: about(nullable(Timestamp), 'When it ended.'),
  duration_ms: about(
    nullable(Type.Integer({ minimum: 0, description: 'Milliseconds from started_at to completed_at.' })),
    'Milliseconds from started_at to completed_at.',
  ),
  retry_count: about(Type.Integer({ minimum: 0 }), 'Number of retries.'),
})

export type SkillExecution = Static<typeof SkillExecutionSchema>
