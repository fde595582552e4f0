import { type Static, Type } from 'typebox'
import { timestampSchema } from './timestamp.js'

/** The possible outcomes of an execution. */
export const EXECUTION_STATUSES = ['completed', 'failed', 'cancelled'] as const

export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The record every execution ends with, whether it succeeded or not. */
export const ExecutionResultSchema = Type.Object({
  output: Type.Unknown({ description: 'Any JSON value; null when there is none.' }),
  status: Type.Enum(EXECUTION_STATUSES, { description: 'How the execution ended.' }),
  startedAt: timestampSchema('When it began.'),
  completedAt: timestampSchema('When it ended.'),
  error: Type.Optional(Type.String({ description: 'The error message; absent on success.' })),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Any further information, by name.' }),
  ),
})

export type ExecutionResult = Static<typeof ExecutionResultSchema>
