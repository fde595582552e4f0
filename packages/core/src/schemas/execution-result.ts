import { type Static, Type } from 'typebox'
import { described } from './described.js'
import { TimestampSchema } from './timestamp.js'

/** The possible outcomes of an execution. */
export const EXECUTION_STATUSES = ['completed', 'failed', 'cancelled'] as const

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The record every execution ends with, whether it succeeded or not. */
export const ExecutionResultSchema = described(
  Type.Object({
    output: Type.Unknown({ description: 'Any JSON value; null when there is none.' }),
    status: Type.Enum(EXECUTION_STATUSES),
    startedAt: TimestampSchema,
    completedAt: TimestampSchema,
    error: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  {
    status: 'How the execution ended.',
    startedAt: 'When it began.',
    completedAt: 'When it ended.',
    error: 'The error message; absent on success.',
    metadata: 'Any further information, by name.',
  },
)

export type ExecutionResult = Static<typeof ExecutionResultSchema>
