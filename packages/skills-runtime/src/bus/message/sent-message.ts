import type { Message } from './message-schema.js'

/** A message in transit: complete and immutable. */
export type SentMessage = Required<Omit<Message, 'ttl' | 'priority'>> & {
  readonly ttl: number
  readonly priority: number
}

/** A message on its way to one mailbox or subscriber. */
export interface Delivery {
  readonly message: SentMessage
  /** Milliseconds since 1970 from which it is no longer delivered. */
  readonly expiresAt: number
  /** The agent, or the topic or pattern of the subscription. */
  readonly target: string
}

/** When a message expires. A timestamp ahead of our clock must not prolong its life. */
export function expiryOf({ timestamp, ttl }: SentMessage, now: number): number {
  return Math.min(Date.parse(timestamp), now) + ttl * 1000
}
