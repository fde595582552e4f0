import { CANONICAL_TIMESTAMP_PATTERN, type JsonObject } from '@minions/core'
import { type Static, Type } from 'typebox'

/*
 * Every rule is a pattern or a bound, never a `format`, since validators differ in which formats they assert. Patterns use
 * no look-ahead and no `\d`, which some languages lack or read as any Unicode digit; and because `$` matches before a
 * final line feed in Python, strings with a pattern also refuse line feeds.
 */
const noLineFeed = { not: { pattern: '\\n' } }

/** Ids from outside: the same rule as core's `isId`, written without look-ahead. */
export const Id = Type.String({
  ...noLineFeed,
  pattern: '^[A-Za-z0-9](?:\\.?[A-Za-z0-9_/:-]){0,127}\\.?$',
  maxLength: 128,
})

export const MissionId = Type.String({
  ...noLineFeed,
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
})

/** Core's rule for times, with `T` and `Z` in capitals. */
export const Timestamp = Type.String({ ...noLineFeed, pattern: CANONICAL_TIMESTAMP_PATTERN })

/** An open string that names something, so it cannot be empty. */
export const Name = Type.String({ minLength: 1 })

export const Names = Type.Array(Name)

/** Prose, which may be empty. */
export const Text = Type.String()

/** An object whose members the contract leaves open. */
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

export const TaskRoleType = Type.Enum(TASK_ROLE_TYPES)
export type TaskRoleType = Static<typeof TaskRoleType>

/** How much is at stake: the risk of a mission, the severity of an issue. */
export const LEVELS = ['low', 'medium', 'high', 'critical'] as const

export const Level = Type.Enum(LEVELS)
export type Level = Static<typeof Level>
