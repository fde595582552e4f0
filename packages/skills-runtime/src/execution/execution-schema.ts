import { type Static, Type } from 'typebox'
import { Id, JsonRecord, nullable, SkillName, Timestamp, Version } from '../attributes.js'

/** How an execution stands: `pending` until it ends, cancelled ones end as `failed`. */
export const EXECUTION_STATUSES = ['pending', 'success', 'failed', 'timeout'] as const

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The record of one execution of a skill, over all its attempts. */
export const SkillExecutionSchema = Type.Object({
  execution_id: Id,
  agent_id: Id,
  skill_name: SkillName,
  skill_version: Version,
  parameters: JsonRecord,
  result: nullable(JsonRecord),
  error: nullable(Type.String()),
  status: Type.Enum(EXECUTION_STATUSES),
  started_at: nullable(Timestamp),
  completed_at: nullable(Timestamp),
  duration_ms: nullable(Type.Integer({ minimum: 0, description: 'Milliseconds from started_at to completed_at.' })),
  retry_count: Type.Integer({ minimum: 0 }),
})

export type SkillExecution = Static<typeof SkillExecutionSchema>
