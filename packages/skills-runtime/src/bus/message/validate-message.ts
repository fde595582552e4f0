import { getOwn, isRecord, jsonProblem } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import {
  attributeIssue,
  checkAnything,
  recordValidator,
  type ValidationIssue,
  type ValidationResult,
  validationResult,
} from '../../validation.js'
import { MessageInputSchema } from './message-schema.js'

const validateRecord = recordValidator('message', MessageInputSchema)

/**
 * Checks a message against every rule that needs no look-up: exactly one of topic and recipient, a correlation id on
 * responses and errors, and the type and range of each attribute. Pure; a null attribute counts as absent. The bus
 * checks that the sender exists and that the correlation id belongs to a request.
 */
export const validateMessage = guarded('validateMessage', validateMessageUnchecked)

function validateMessageUnchecked(message: unknown): ValidationResult {
  return checkAnything('A message', () => check(message))
}

function check(message: unknown): ValidationResult {
  if (!isRecord(message)) return validationResult([attributeIssue('', 'TYPE', 'A message must be an object.')])
  const record = Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== null && value !== undefined),
  )
  return validationResult([
    ...validateRecord(record),
    ...addressIssues(record),
    ...correlationIssues(record),
    ...jsonIssues(record, 'topic'),
    ...jsonIssues(record, 'payload'),
  ])
}

function addressIssues(message: Record<string, unknown>): ValidationIssue[] {
  const topic = getOwn(message, 'topic') !== undefined
  const recipient = getOwn(message, 'recipient_id') !== undefined
  if (topic && recipient) {
    return [
      attributeIssue('recipient_id', 'EXCLUSIVE', `The message has both "topic" and "recipient_id"; it needs one.`),
    ]
  }
  if (topic || recipient) return []
  return [attributeIssue('topic', 'REQUIRED', `The message has neither "topic" nor "recipient_id"; it needs one.`)]
}

function correlationIssues(message: Record<string, unknown>): ValidationIssue[] {
  const type = getOwn(message, 'message_type')
  if (type !== 'response' && type !== 'error') return []
  if (getOwn(message, 'correlation_id') !== undefined) return []
  const text = `The message's "correlation_id" is required: a ${type} carries that of its request.`
  return [attributeIssue('correlation_id', 'REQUIRED', text)]
}

/** Values that not every store or JSON can represent, such as U+0000. */
function jsonIssues(message: Record<string, unknown>, field: 'topic' | 'payload'): ValidationIssue[] {
  const value = getOwn(message, field)
  const problem = typeof value === 'string' || isRecord(value) ? jsonProblem(value) : undefined
  if (problem === undefined) return []
  const where = problem.pointer === '' ? '' : ` ${problem.pointer}`
  return [attributeIssue(field, 'JSON', `The message's "${field}"${where} ${problem.message}.`)]
}
