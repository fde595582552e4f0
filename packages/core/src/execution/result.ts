import { messageOf } from '../errors/message-of.js'
import { EXECUTION_STATUSES, type ExecutionResult } from '../schemas/execution-result.js'
import { isDateTime } from '../schemas/timestamp.js'

export type UntimedResult = Omit<ExecutionResult, 'startedAt' | 'completedAt'> & Partial<ExecutionResult>

const statuses: ReadonlySet<unknown> = new Set(EXECUTION_STATUSES)

/**
 * Reads the return value of an executable. Missing or unreadable parts are left for the runner to fill in; a value
 * without a status is not a result and counts as a failure, with the value as its output.
 */
export function resultFrom(value: unknown): UntimedResult {
  if (!isResult(value)) {
    const error = 'The executable must return a result whose status is completed, failed or cancelled.'
    return { output: value ?? null, status: 'failed', error }
  }
  const { startedAt, completedAt, error, metadata, ...rest } = value
  const result: UntimedResult = { ...rest, output: value.output ?? null }
  if (isDateTime(startedAt)) result.startedAt = startedAt
  if (isDateTime(completedAt)) result.completedAt = completedAt
  if (error !== undefined && error !== null) result.error = messageOf(error)
  if (typeof metadata === 'object' && metadata !== null) result.metadata = metadata as Record<string, unknown>
  return result
}

function isResult(
  value: unknown,
): value is Pick<ExecutionResult, 'status'> & { [key in keyof ExecutionResult]?: unknown } {
  return typeof value === 'object' && value !== null && statuses.has((value as Partial<ExecutionResult>).status)
}
