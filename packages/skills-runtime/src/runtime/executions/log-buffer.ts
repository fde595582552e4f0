import { copyJson, isRecord, type JsonObject } from '@minions/core/json'
import { cutText } from '../subagents/error-text.js'
import { EXECUTION_LOG_LIMITS, type ExecutionLog, type LogLevel, type LogLine } from './log-schema.js'

/** Approximate size of a line in a record besides its texts. */
const LINE_BYTES = 100

/** The log of a running execution, within its limits. */
export class LogBuffer {
  readonly #ids: Pick<ExecutionLog, 'execution_id' | 'agent_id'>
  readonly #lines: LogLine[] = []
  #progress: NonNullable<ExecutionLog['progress']> | null = null
  #bytes = 0
  #dropped = 0
  #version = 0

  /** Continues from what an earlier process stored. */
  constructor(ids: Pick<ExecutionLog, 'execution_id' | 'agent_id'>, stored?: ExecutionLog) {
    this.#ids = { execution_id: ids.execution_id, agent_id: ids.agent_id }
    if (stored === undefined) return
    this.#progress = stored.progress ?? null
    this.#dropped = stored.dropped
    for (const line of stored.lines) this.#push(line)
  }

  /** Grows with every change, to tell whether all changes were stored. */
  get version(): number {
    return this.#version
  }

  get record(): ExecutionLog {
    return { ...this.#ids, progress: this.#progress, lines: [...this.#lines], dropped: this.#dropped }
  }

  /** Adds a line, whatever a skill passes for its message and fields. */
  add(at: string, attempt: number, level: LogLevel, message: unknown, fields?: unknown): void {
    const kept = keptFields(fields)
    this.#push({ at, attempt, level, message: logText(message), ...(kept && { fields: kept }) })
    this.#version++
  }

  progress(at: string, fraction: number, note: unknown): void {
    this.#progress = { at, fraction, note: note === undefined ? null : logText(note) }
    this.#version++
  }

  #push(line: LogLine): void {
    this.#lines.push(line)
    this.#bytes += bytesOf(line)
    const { lines, bytes } = EXECUTION_LOG_LIMITS
    while (this.#lines.length > lines || this.#bytes > bytes) {
      this.#bytes -= bytesOf(this.#lines.shift() as LogLine)
      this.#dropped++
    }
  }
}

function bytesOf({ message, fields }: LogLine): number {
  return LINE_BYTES + Buffer.byteLength(message) + (fields ? Buffer.byteLength(JSON.stringify(fields)) : 0)
}

/** A string that every store can hold. */
function logText(value: unknown): string {
  if (typeof value !== 'string') return typeof value
  return cutText(value.replaceAll('\0', '\ufffd'), EXECUTION_LOG_LIMITS.message)
}

function keptFields(fields: unknown): JsonObject | undefined {
  if (!isRecord(fields)) return undefined
  try {
    const copy = copyJson(fields) as JsonObject
    return JSON.stringify(copy).length <= EXECUTION_LOG_LIMITS.fields ? copy : undefined
  } catch {
    return undefined
  }
}
