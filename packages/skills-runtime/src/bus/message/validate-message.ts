import { getOwn, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type Issue, issuesBelow } from '@minions/core/schema'
import { attributeIssue, brokenOf, jsonIssues, recordValidator, validatorOf } from '../../validation.js'
import { MessageInputSchema } from './message-schema.js'

const validateRecord = recordValidator(MessageInputSchema)

/**
 * Checks a message against every rule that needs no look-up: exactly one of topic and recipient, a correlation id on
 * responses and errors, and the type and range of each attribute. Pure; a null attribute counts as absent. The bus
 * checks that the sender exists and that the correlation id belongs to a request.
 */
export const validateMessage = guarded('validateMessage', validatorOf(issuesOf))

function issuesOf(message: Record<string, unknown>): Issue[] {
  const record = Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== null && value !== undefined),
  )
  const [topic, recipient, type, correlation] = ['topic', 'recipient_id', 'message_type', 'correlation_id'].map(
    (field) => getOwn(record, field),
  )
  const isAnswer = type === 'response' || type === 'error'
  return [
    ...validateRecord(record),
    ...brokenOf(
      topic !== undefined &&
        recipient !== undefined &&
        attributeIssue('recipient_id', 'EXCLUSIVE', 'must be absent beside "topic"; a message has one of them'),
      (topic ?? recipient) === undefined &&
        attributeIssue('topic', 'REQUIRED', 'is required unless there is a "recipient_id"'),
      isAnswer &&
        correlation === undefined &&
        attributeIssue('correlation_id', 'REQUIRED', `is required: a ${type} carries that of its request`),
    ),
    ...unstorable('topic', topic),
    ...unstorable('payload', getOwn(record, 'payload')),
  ]
}

/** Values that not every store or JSON can represent, such as U+0000. */
function unstorable(field: string, value: unknown): Issue[] {
  return typeof value === 'string' || isRecord(value) ? issuesBelow(`/${field}`, jsonIssues(value)) : []
}
