import { isRecord, jsonProblem } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import type { SkillRecord } from '../../skills/definition/skill-schema.js'
import {
  attributeIssue,
  checkAnything,
  recordValidator,
  type ValidationIssue,
  type ValidationResult,
  validationResult,
} from '../../validation.js'
import { type SkillExecution, SkillExecutionSchema } from './execution-schema.js'

const validateRecord = recordValidator('execution', SkillExecutionSchema)

/**
 * Checks the record of an execution: attributes, that success has a result and failure an error, and that the duration
 * is the time between start and end. Given the skill, also that it was not retried more often than allowed. Pure.
 */
export const validateExecution = guarded('validateExecution', validateExecutionUnchecked)

function validateExecutionUnchecked(record: unknown, skill?: Pick<SkillRecord, 'max_retries'>): ValidationResult {
  return checkAnything('An execution', () => check(record, skill))
}

function check(record: unknown, skill?: Pick<SkillRecord, 'max_retries'>): ValidationResult {
  if (!isRecord(record)) return validationResult([attributeIssue('', 'TYPE', 'An execution must be an object.')])
  const problem = jsonProblem(record)
  if (problem) {
    const field = problem.pointer.split('/')[1] ?? ''
    return validationResult([attributeIssue(field, 'JSON', `The execution's ${problem.pointer} ${problem.message}.`)])
  }
  const errors = validateRecord(record)
  if (errors.length > 0) return validationResult(errors)
  const execution = record as SkillExecution
  return validationResult([...outcomeIssues(execution), ...durationIssues(execution), ...retryIssues(execution, skill)])
}

function outcomeIssues({ status, result, error }: SkillExecution): ValidationIssue[] {
  if (status === 'success' && result == null) {
    return [attributeIssue('result', 'REQUIRED', `The execution's "result" is required when it succeeded.`)]
  }
  if ((status === 'failed' || status === 'timeout') && error == null) {
    return [attributeIssue('error', 'REQUIRED', `The execution's "error" is required when it did not succeed.`)]
  }
  return []
}

function durationIssues({ started_at, completed_at, duration_ms }: SkillExecution): ValidationIssue[] {
  if (started_at == null || completed_at == null || duration_ms == null) return []
  const expected = Date.parse(completed_at) - Date.parse(started_at)
  if (duration_ms === expected) return []
  const text = `The execution's "duration_ms" must be ${expected}, from "started_at" to "completed_at".`
  return [attributeIssue('duration_ms', 'DURATION', text, duration_ms)]
}

function retryIssues({ retry_count }: SkillExecution, skill?: Pick<SkillRecord, 'max_retries'>): ValidationIssue[] {
  const allowed = skill?.max_retries ?? 0
  if (skill == null || retry_count <= allowed) return []
  return [attributeIssue('retry_count', 'MAX', `The execution's "retry_count" may not exceed ${allowed}.`, retry_count)]
}
