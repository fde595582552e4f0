import { jsonProblem } from '@minions/core'
import { recordValidator } from '../record-validator.js'
import { attributeIssue, checkAnything, isRecord, type ValidationResult, validationResult } from '../validation.js'
import { SubagentSchema } from './subagent-schema.js'

const validateRecord = recordValidator('subagent', SubagentSchema)

/** Checks the record of a subagent against every rule that needs neither registry nor store. Pure. */
export function validateSubagent(record: unknown): ValidationResult {
  return checkAnything('A subagent', () => check(record))
}

function check(record: unknown): ValidationResult {
  if (!isRecord(record)) return validationResult([attributeIssue('', 'TYPE', 'A subagent must be an object.')])
  const problem = jsonProblem(record)
  if (problem === undefined) return validationResult(validateRecord(record))
  const field = problem.pointer.split('/')[1] ?? ''
  return validationResult([attributeIssue(field, 'JSON', `The subagent's ${problem.pointer} ${problem.message}.`)])
}
