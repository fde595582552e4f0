import type { Message } from './message-schema.js'

/** A message as it is passed on: every attribute is there and nothing can be changed. */
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

/** When the life of a message ends. A time ahead of ours must not prolong it. */
export function expiryOf({ timestamp, ttl }: SentMessage, now: number): number {
  return Math.min(Date.parse(timestamp), now) + ttl * 1000
}
