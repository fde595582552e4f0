import { cloneJson } from '@minions/core/json'
import { checkObject } from '../../arguments.js'
import { assertValid, attributeIssue } from '../../validation.js'
import { type ExecutionLog, LOG_LEVELS, type LogLevel } from './log-schema.js'

/** A filter for log lines. */
export interface LogFilter {
  /** The least urgent level; `warn` gives warnings and errors. All by default. */
  readonly level?: LogLevel | undefined
  /** Maximum number of lines to return, the newest; all by default. */
  readonly limit?: number | undefined
}

/** Checks a filter and returns a function that applies it. Throws `VALIDATION_FAILED`. */
export function parseLogFilter(filter: LogFilter): (log: ExecutionLog) => ExecutionLog {
  checkObject('The filter', filter)
  const { level = 'debug', limit = Number.POSITIVE_INFINITY } = filter
  const least = LOG_LEVELS.indexOf(level)
  if (least < 0) refuse('level', `must be one of ${LOG_LEVELS.join(', ')}`)
  if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 0)) {
    refuse('limit', 'must be a non-negative whole number')
  }
  return (log) => {
    const lines = log.lines.filter((line) => LOG_LEVELS.indexOf(line.level) >= least)
    return cloneJson({ ...log, lines: limit === 0 ? [] : lines.slice(-limit) })
  }
}

function refuse(field: string, message: string): void {
  assertValid('The filter', [attributeIssue(field, 'FILTER', message)])
}
