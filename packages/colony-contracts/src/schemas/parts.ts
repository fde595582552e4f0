import type { JsonObject } from '@minions/core/json'
import { CANONICAL_TIMESTAMP_PATTERN, textMatching } from '@minions/core/schema'
import { type Static, Type } from 'typebox'

export { IdSchema as Id } from '@minions/core/schema'

export const MissionId = textMatching('^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$')

/** Core's rule for times, with upper-case `T` and `Z`. */
export const Timestamp = textMatching(CANONICAL_TIMESTAMP_PATTERN)

/** An open, non-empty string that names something. */
export const Name = Type.String({ minLength: 1 })

export const Names = Type.Array(Name)

/** Prose, which may be empty. */
export const Text = Type.String()

export const OpenObject = Type.Unsafe<JsonObject>({ type: 'object' })

export const NullableObject = Type.Unsafe<JsonObject | null>({ type: ['object', 'null'] })

export const Confidence = Type.Number({ minimum: 0, maximum: 1 })

export const Budget = Type.Integer({ minimum: 1 })

/** The roles a task can have. */
export const TASK_ROLE_TYPES = [
  'planner',
  'prompt_master',
  'researcher',
  'librarian',
  'worker',
  'aggregator',
  'reviewer',
] as const

export type TaskRoleType = (typeof TASK_ROLE_TYPES)[number]

/** The role of a task: one of ours, or one that an app has added to its registry. */
export type RoleType = TaskRoleType | (string & {})

export const RoleType = Type.Unsafe<RoleType>(Type.Enum(TASK_ROLE_TYPES))

/** Severity level: the risk of a mission, the severity of an issue. */
export const LEVELS = ['low', 'medium', 'high', 'critical'] as const

export const Level = Type.Enum(LEVELS)
export type Level = Static<typeof Level>
