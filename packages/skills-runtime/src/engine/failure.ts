import { isMinionsError, type MinionsError } from '@minions/core'
import { skillsError } from '../errors.js'
import type { SkillExecution } from '../execution/execution-schema.js'
import { isRecord } from '../validation.js'

/** Longer texts would not fit into a record. */
const MAX_ERROR_CHARACTERS = 1_000_000

/** Thrown by a skill that knows that trying again is of no use. An error with `retryable: false` says the same. */
export class NonRetryableError extends Error {
  readonly retryable = false

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'NonRetryableError'
  }
}

/** How an execution ended when it did not succeed: what is recorded, and what the caller gets. */
export class ExecutionFailure {
  readonly status: 'failed' | 'timeout'
  readonly text: string
  readonly error: MinionsError
  readonly retryable: boolean
  /** The record as it stood; none when it was the parameters that could not be made. */
  execution: SkillExecution | undefined

  constructor(status: 'failed' | 'timeout', text: string, error: MinionsError, retryable: boolean) {
    this.status = status
    this.text = text
    this.error = error
    this.retryable = retryable
  }
}

/** The failure that something thrown by a skill amounts to. */
export function failureOf(skillName: string, thrown: unknown): ExecutionFailure {
  if (thrown instanceof ExecutionFailure) return thrown
  const text = errorText(thrown)
  const code = isMinionsError(thrown) ? thrown.code : undefined
  const error = skillsError('SKILL_FAILED', `The skill "${skillName}" failed: ${text}`, {
    details: { skill_name: skillName, ...(code !== undefined && { code }) },
    cause: thrown,
  })
  return new ExecutionFailure('failed', text, error, !isNonRetryable(thrown))
}

export function timeoutFailure(skillName: string, seconds: number, retryable: boolean): ExecutionFailure {
  const text = `timed out after ${seconds} s`
  const error = skillsError(
    'SKILL_TIMEOUT',
    `The skill "${skillName}" ${text}; raise its "timeout" or make it quicker.`,
    {
      details: { skill_name: skillName, timeout: seconds },
    },
  )
  return new ExecutionFailure('timeout', text, error, retryable)
}

/** What went wrong, as a text that can be stored, whatever was thrown. */
export function errorText(thrown: unknown): string {
  const text = messageOf(thrown).toWellFormed().replaceAll('\0', '\uFFFD')
  return text.length > MAX_ERROR_CHARACTERS ? `${text.slice(0, MAX_ERROR_CHARACTERS).toWellFormed()}… [cut]` : text
}

function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown || 'an empty text was thrown'
    if (isRecord(thrown) && typeof thrown.message === 'string') return thrown.message || String(thrown.name ?? 'Error')
    return `${typeof thrown} was thrown: ${String(thrown)}`
  } catch {
    return 'something was thrown that cannot be shown'
  }
}

function isNonRetryable(thrown: unknown): boolean {
  try {
    return isRecord(thrown) && thrown.retryable === false
  } catch {
    return false
  }
}
