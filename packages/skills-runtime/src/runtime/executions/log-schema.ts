import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, JsonRecord, nullable, Timestamp } from '../../attributes.js'

/** The levels of log lines, least urgent first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * The limits of the log of one execution: its newest lines are kept, up to a number of lines and an approximate number
 * of bytes. `message` and `fields` are characters of one line; longer messages are truncated, larger fields omitted.
 */
export const EXECUTION_LOG_LIMITS = { lines: 1000, bytes: 128 * 1024, message: 1000, fields: 4000 } as const

const LogLineSchema = Type.Object({
  at: Timestamp,
  attempt: about(Type.Integer({ minimum: 1 }), 'The attempt that it belongs to, from 1.'),
  level: about(Type.Enum(LOG_LEVELS), 'How urgent the line is.'),
  message: about(Type.String(), 'The line itself.'),
  fields: about(Type.Optional(JsonRecord), 'Facts that go with it, by name.'),
})

/** One line that a skill logged, or the runtime about it. */
export type LogLine = Static<typeof LogLineSchema>

/** What an execution logged over all its attempts, oldest line first, and the last progress that it reported. */
export const ExecutionLogSchema = Type.Object({
  execution_id: Id,
  agent_id: Id,
  progress: about(
    nullable(
      Type.Object({
        at: Timestamp,
        fraction: Type.Number({ minimum: 0, maximum: 1, description: 'How much is done, from 0 to 1.' }),
        note: nullable(Type.String(), 'What is being done.'),
      }),
    ),
    'The last progress that was reported.',
  ),
  lines: about(Type.Array(LogLineSchema), 'The newest lines, oldest first.'),
  dropped: Type.Integer({ minimum: 0, description: 'Older lines that were not kept.' }),
})

export type ExecutionLog = Static<typeof ExecutionLogSchema>
