import { type Static, Type } from 'typebox'
import { Id, JsonRecord, nullable, Timestamp } from '../attributes.js'

/** The levels of log lines, least urgent first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * The limits of the log of one execution: its newest lines are kept, up to so many and about so many bytes. `message` and
 * `fields` are characters of one line; longer messages are cut, larger fields left out.
 */
export const EXECUTION_LOG_LIMITS = { lines: 1000, bytes: 128 * 1024, message: 1000, fields: 4000 } as const

const LogLineSchema = Type.Object({
  at: Timestamp,
  attempt: Type.Integer({ minimum: 1 }),
  level: Type.Enum(LOG_LEVELS),
  message: Type.String(),
  fields: Type.Optional(JsonRecord),
})

/** One line that a skill logged, or the runtime about it. */
export type LogLine = Static<typeof LogLineSchema>

/** What an execution logged over all its attempts, oldest line first, and the last progress that it reported. */
export const ExecutionLogSchema = Type.Object({
  execution_id: Id,
  agent_id: Id,
  progress: nullable(
    Type.Object({
      at: Timestamp,
      fraction: Type.Number({ minimum: 0, maximum: 1 }),
      note: nullable(Type.String()),
    }),
  ),
  lines: Type.Array(LogLineSchema),
  dropped: Type.Integer({ minimum: 0, description: 'Older lines that were not kept.' }),
})

export type ExecutionLog = Static<typeof ExecutionLogSchema>
