import { isMinionsError, type MinionsError, messageOf, quote } from '@minions/core'
import { isRecord } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import type { SkillExecution } from '../executions/execution-schema.js'

/** Longer texts do not fit into a record. */
const MAX_ERROR_CHARACTERS = 1_000_000

/** Thrown by a skill when a retry is pointless. An error with `retryable: false` has the same effect. */
export class NonRetryableError extends Error {
  readonly retryable = false

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(typeof message === 'string' ? message : quote(message), causeIn(options))
    this.name = 'NonRetryableError'
  }
}

/** What the cause throws when it is read is the cause. */
function causeIn(options: { readonly cause?: unknown } | undefined): { readonly cause?: unknown } {
  try {
    return options !== undefined && 'cause' in options ? { cause: options.cause } : {}
  } catch (cause) {
    return { cause }
  }
}

/** The failure of an execution: what is recorded, and what the caller gets. */
export class ExecutionFailure {
  readonly status: 'failed' | 'timeout'
  readonly text: string
  readonly error: MinionsError
  readonly retryable: boolean
  /** The record at that time; absent if the parameters could not be created. */
  execution: SkillExecution | undefined

  constructor(status: 'failed' | 'timeout', text: string, error: MinionsError, retryable: boolean) {
    this.status = status
    this.text = text
    this.error = error
    this.retryable = retryable
  }
}

export function failureOf(skillName: string, thrown: unknown): ExecutionFailure {
  if (thrown instanceof ExecutionFailure) return thrown
  const text = messageOf(thrown, MAX_ERROR_CHARACTERS)
  const code = isMinionsError(thrown) ? thrown.code : undefined
  const error = skillsError('SKILL_FAILED', `The skill "${skillName}" failed: ${text}`, {
    details: { skill_name: skillName, ...(code !== undefined && { code }) },
    cause: thrown,
  })
  return new ExecutionFailure('failed', text, error, !isNonRetryable(thrown))
}

/** The same for one that a retry cannot change. */
export function finalFailure(skillName: string, thrown: unknown, execution?: SkillExecution): ExecutionFailure {
  const { status, text, error } = failureOf(skillName, thrown)
  const failure = new ExecutionFailure(status, text, error, false)
  failure.execution = execution
  return failure
}

export function timeoutFailure(skillName: string, seconds: number, retryable: boolean): ExecutionFailure {
  const text = `timed out after ${seconds} s`
  const message = `The skill "${skillName}" ${text}; raise its "timeout" or make it faster.`
  const error = skillsError('SKILL_TIMEOUT', message, { details: { skill_name: skillName, timeout: seconds } })
  return new ExecutionFailure('timeout', text, error, retryable)
}

function isNonRetryable(thrown: unknown): boolean {
  try {
    return isRecord(thrown) && thrown.retryable === false
  } catch {
    return false
  }
}
