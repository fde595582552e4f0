import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { IdSource, Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { MessageOptions } from '../skills/definition/skill-context.js'
import type { OverflowPolicy } from './delivery/mailbox.js'
import type { MessageType } from './message/message-schema.js'
import type { MessageTransport } from './transport/transport.js'

/** What is known of an agent: it is there, it is there but takes no more messages, or there is none. */
export type AgentPresence = boolean | 'ended'

export interface MessageBusOptions {
  /** Looks an agent up. Without it every id is taken for that of an agent. */
  readonly agents?: (agentId: string) => AgentPresence | Promise<AgentPresence>
  /** True if an agent runs in this process, so that its mail belongs here and not to another bus of the transport. */
  readonly runsHere?: (agentId: string) => boolean
  readonly clock?: Clock
  readonly timers?: Timers
  readonly ids?: IdSource
  readonly logger?: Logger
  /** Maximum number of messages in one mailbox; 1,000 by default. */
  readonly mailboxLimit?: number
  /** What a sender meets when a mailbox is full: `wait` (the default) until it has capacity, or `reject`. */
  readonly overflow?: OverflowPolicy
  /** Maximum number of dead letters to keep, the latest; 1,000 by default. All are counted. */
  readonly deadLetterLimit?: number
  /** In this process by default. */
  readonly transport?: MessageTransport
  /**
   * Where to keep messages until their life ends; nowhere by default. It must have been opened with
   * `messagesCollection`.
   */
  readonly store?: StoreAccess
}

/** How a message is sent. `ttl` is in seconds; the sender is `system` by default. */
export interface SendOptions extends MessageOptions {
  readonly sender_id?: string
  readonly message_type?: MessageType
}

/** How a request is sent, and how many milliseconds to wait for its response; by default, as long as it lives. */
export interface RequestOptions extends Omit<SendOptions, 'message_type'> {
  readonly timeout?: number
  /** The same with its unit in its name; one of the two is enough. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** How a request is answered: with a response unless `message_type` is `error`. */
export interface ReplyOptions extends Omit<SendOptions, 'message_type' | 'correlation_id'> {
  readonly message_type?: 'response' | 'error'
}

/** How a bus ends: `deadline` is how many milliseconds handlers have to finish; 5,000 by default. */
export interface CloseOptions {
  readonly deadline?: number
}
