import { skillsError } from '../../errors.js'
import { DEAD_LETTER_REASONS, type DeadLetterReason } from '../delivery/dead-letter.js'
import type { SentMessage } from '../message/sent-message.js'

function facts({ sender_id, recipient_id, correlation_id, message_id }: SentMessage) {
  return { message_id, correlation_id, sender_id, recipient_id }
}

export function requestTimeout(request: SentMessage, milliseconds: number): Error {
  const { sender_id, recipient_id } = request
  const text = `"${recipient_id}" did not answer the request of "${sender_id}" within ${milliseconds} ms.`
  return skillsError('REQUEST_TIMEOUT', text, { details: { ...facts(request), timeout: milliseconds } })
}

/** The answer was an error; its payload is in the details. */
export function requestFailed(request: SentMessage, answer: SentMessage): Error {
  const { message } = answer.payload
  const why = typeof message === 'string' ? message : 'see details.payload.'
  const text = `"${request.recipient_id}" answered the request of "${request.sender_id}" with an error: ${why}`
  return skillsError('REQUEST_FAILED', text, { details: { ...facts(request), payload: answer.payload } })
}

/** The request was not delivered, so there will be no answer. */
export function lostRequest(request: SentMessage, reason: DeadLetterReason | 'EXPIRED'): Error {
  const why = reason === 'EXPIRED' ? 'It expired before it was received.' : DEAD_LETTER_REASONS[reason]
  const text = `The request of "${request.sender_id}" to "${request.recipient_id}" cannot be answered: ${why}`
  return skillsError('REQUEST_FAILED', text, { details: { ...facts(request), reason } })
}

export function waitCycle(path: readonly string[]): Error {
  const text = `The request would never be answered: ${path.join(' → ')} wait for each other in a cycle.`
  return skillsError('WAIT_CYCLE', text, { details: { path } })
}

export function mailboxFull({ message_id, recipient_id }: SentMessage): Error {
  const text = `The mailbox of "${recipient_id}" is full; send less, let it receive, or raise "mailboxLimit".`
  return skillsError('MAILBOX_FULL', text, { details: { message_id, recipient_id } })
}

export function agentEnded(agentId: string): Error {
  return skillsError('CLOSED', `The agent "${agentId}" has ended and receives no more messages.`, {
    details: { agent_id: agentId },
  })
}

export function busClosed(): Error {
  return skillsError('CLOSED', 'The message bus was closed.')
}
