import { assertValid, attributeIssue } from '../validation.js'
import type { AgentPresence } from './bus-options.js'
import type { SentMessage } from './delivery.js'

/** Throws `VALIDATION_FAILED` unless the sender is an agent; one that has ended may still send. */
export function checkSender({ sender_id }: SentMessage, presence: AgentPresence): void {
  if (presence !== false) return
  const text = `The message's "sender_id" must be that of an agent, or "system"; there is no agent "${sender_id}".`
  assertValid('The message', [attributeIssue('sender_id', 'REFERENCE', text, sender_id)])
}

/** Throws `VALIDATION_FAILED` unless a response belongs to a request. */
export function checkCorrelation(isLinked: boolean): void {
  if (isLinked) return
  const text = `The message's "correlation_id" must be that of a request which its recipient sent to its sender.`
  assertValid('The message', [attributeIssue('correlation_id', 'REFERENCE', text)])
}

/** Throws `VALIDATION_FAILED` when another request, whose answer could come yet, has the same correlation id. */
export function checkFresh({ correlation_id }: SentMessage, isTaken: boolean): void {
  if (!isTaken) return
  const text = `The message's "correlation_id" is that of another request; leave it out, or use a new one.`
  assertValid('The message', [attributeIssue('correlation_id', 'UNIQUE', text, correlation_id)])
}

/** Throws `VALIDATION_FAILED` unless a mailbox of this size can hold something. */
export function checkLimit(mailboxLimit: number): void {
  if (Number.isInteger(mailboxLimit) && mailboxLimit > 0) return
  const text = '"mailboxLimit" must be a whole number from 1.'
  assertValid('The message bus', [attributeIssue('mailboxLimit', 'RANGE', text, mailboxLimit)])
}
