import { guarded } from '@minions/core/plugin'
import type { SkillRecord } from '../../skills/definition/skill-schema.js'
import { attributeIssue, brokenOf, jsonIssues, recordValidator, validatorOf } from '../../validation.js'
import { type SkillExecution, SkillExecutionSchema } from './execution-schema.js'

const validateRecord = recordValidator(SkillExecutionSchema)

/**
 * Checks the record of an execution: attributes, that success has a result and failure an error, and that the duration
 * is the time between start and end. Given the skill, also that it was not retried more often than allowed. Pure.
 */
export const validateExecution = guarded('validateExecution', validatorOf(issuesOf))

function issuesOf(record: Record<string, unknown>, skill?: Pick<SkillRecord, 'max_retries'>) {
  const unstorable = jsonIssues(record)
  const issues = unstorable.length > 0 ? unstorable : validateRecord(record)
  if (issues.length > 0) return issues
  const execution = record as SkillExecution
  const { status, result, error, duration_ms, retry_count } = execution
  const hasFailed = status === 'failed' || status === 'timeout'
  const duration = durationOf(execution) ?? duration_ms
  const span = `must be ${duration}, from "started_at" to "completed_at"`
  const allowed = skill?.max_retries ?? 0
  return brokenOf(
    status === 'success' && result == null && attributeIssue('result', 'REQUIRED', 'is required when it succeeded'),
    hasFailed && error == null && attributeIssue('error', 'REQUIRED', 'is required when it did not succeed'),
    duration_ms != null && duration_ms !== duration && attributeIssue('duration_ms', 'DURATION', span, duration_ms),
    skill != null &&
      retry_count > allowed &&
      attributeIssue('retry_count', 'MAX', `may not exceed ${allowed}`, retry_count),
  )
}

function durationOf({ started_at, completed_at }: SkillExecution): number | undefined {
  return started_at == null || completed_at == null ? undefined : Date.parse(completed_at) - Date.parse(started_at)
}
