import type { SentMessage } from '../message/sent-message.js'

/** Why a message could not be delivered. */
export const DEAD_LETTER_REASONS = {
  UNKNOWN_RECIPIENT: 'No agent has the id of the recipient.',
  NO_SUBSCRIBER: 'The topic has no subscriber.',
  MAILBOX_FULL: 'The mailbox was full, and the bus rejects instead of waiting.',
  HANDLER_FAILED: 'The handler of the subscription threw.',
  LATE_RESPONSE: 'The requester had given up, or already had its answer, when the response arrived.',
  AGENT_ENDED: 'The recipient has completed or failed.',
  UNSUBSCRIBED: 'The subscription ended while the message waited.',
  CLOSED: 'The bus was closed before the message could be delivered.',
}
export type DeadLetterReason = keyof typeof DEAD_LETTER_REASONS

/** A message that could not be delivered, and why. */
export interface DeadLetter {
  readonly message: SentMessage
  readonly reason: DeadLetterReason
  /** The agent, topic or pattern it was sent to. */
  readonly target: string
  /** What the handler threw. */
  readonly error?: unknown
  readonly at: string
}
