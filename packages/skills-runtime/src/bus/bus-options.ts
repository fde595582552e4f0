import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { IdSource, Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { MessageOptions, WaitOptions } from '../skills/definition/skill-context.js'
import type { OverflowPolicy } from './delivery/mailbox.js'
import type { MessageType } from './message/message-schema.js'
import type { MessageTransport } from './transport/transport.js'

/** State of an agent: it exists, it exists but receives no more messages, or it does not exist. */
export type AgentPresence = boolean | 'ended'

export interface MessageBusOptions {
  /** Looks up an agent. Without it, every id counts as an agent. */
  readonly agents?: (agentId: string) => AgentPresence | Promise<AgentPresence>
  /**
   * True if an agent runs in this process, so that its messages belong here and not to another bus of the transport.
   */
  readonly runsHere?: (agentId: string) => boolean
  readonly clock?: Clock
  readonly timers?: Timers
  readonly ids?: IdSource
  readonly logger?: Logger
  /** Maximum number of messages in one mailbox; 1,000 by default. */
  readonly mailboxLimit?: number
  /** Policy for a full mailbox: `wait` (the default) until it has capacity, or `reject`. */
  readonly overflow?: OverflowPolicy
  /** Maximum number of dead letters to keep, the latest; 1,000 by default. All are counted. */
  readonly deadLetterLimit?: number
  /** In this process by default. */
  readonly transport?: MessageTransport
  /**
   * Store that keeps messages until they expire; none by default. It must have been opened with
   * `messagesCollection`.
   */
  readonly store?: StoreAccess
}

/** Options of a message. `ttl` is in seconds; the sender is `system` by default. */
export interface SendOptions extends MessageOptions {
  readonly sender_id?: string
  readonly message_type?: MessageType
}

/** Options of a request, and the milliseconds to wait for its response; by default, as long as it lives. */
export interface RequestOptions extends Omit<SendOptions, 'message_type'>, WaitOptions {
  readonly signal?: AbortSignal
}

/** Options of a reply: a response unless `message_type` is `error`. */
export interface ReplyOptions extends Omit<SendOptions, 'message_type' | 'correlation_id'> {
  readonly message_type?: 'response' | 'error'
}

/** Options for closing a bus: `deadline` is the milliseconds that handlers have to finish; 5,000 by default. */
export interface CloseOptions {
  readonly deadline?: number
}
