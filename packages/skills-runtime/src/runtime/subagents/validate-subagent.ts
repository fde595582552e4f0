import { isRecord, jsonProblem } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import {
  attributeIssue,
  checkAnything,
  recordValidator,
  type ValidationResult,
  validationResult,
} from '../../validation.js'
import { SubagentSchema } from './subagent-schema.js'

const validateRecord = recordValidator('subagent', SubagentSchema)

/** Checks the record of a subagent against every rule that needs neither registry nor store. Pure. */
export const validateSubagent = guarded('validateSubagent', validateSubagentUnchecked)

function validateSubagentUnchecked(record: unknown): ValidationResult {
  return checkAnything('A subagent', () => check(record))
}

function check(record: unknown): ValidationResult {
  if (!isRecord(record)) return validationResult([attributeIssue('', 'TYPE', 'A subagent must be an object.')])
  const problem = jsonProblem(record)
  if (problem === undefined) return validationResult(validateRecord(record))
  const field = problem.pointer.split('/')[1] ?? ''
  return validationResult([attributeIssue(field, 'JSON', `The subagent's ${problem.pointer} ${problem.message}.`)])
}
