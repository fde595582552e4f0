import type { JsonObject, JsonValue } from '@minions/core/json'
import type { WriteBatch } from '@minions/core/storage'
import type { ReplyOptions } from '../../bus/bus-options.js'
import type { Message } from '../../bus/message/message-schema.js'

/** Delivery options of a message. `ttl` is in seconds, priority 1 is the most urgent. */
export interface MessageOptions {
  readonly ttl?: number
  readonly priority?: number
  readonly correlation_id?: string
}

/** Structured log lines that carry the ids of mission, task, agent and execution. */
export interface SkillLog {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

/**
 * Adds writes to the batch that records the success of a skill; without a store there is no batch. It is called again,
 * with a higher `attempt`, after a conflict: re-read then. If it throws, nothing is written. A returned function is
 * called once the batch was written.
 */
export type CommitWork = (
  batch: WriteBatch | undefined,
  attempt: number,
) => Committed | undefined | Promise<Committed | undefined>

type Committed = () => void

/** How long to wait, in milliseconds; `timeoutMs` is the same as `timeout`, with the unit in its name. */
export interface WaitOptions {
  readonly timeout?: number
  readonly timeoutMs?: number
}

/** The context of a running skill. */
export interface SkillContext {
  /** Aborted when the attempt times out, is cancelled, or the host shuts down. */
  readonly signal: AbortSignal
  readonly agentId: string
  readonly executionId: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /**
   * The same for every attempt of one execution, even after a crash: pass it to anything that must not happen twice.
   */
  readonly idempotencyKey: string
  /** The state of the last checkpoint, or `undefined` when there is none. */
  readonly state: JsonValue | undefined
  /** Working time of this attempt in milliseconds, excluding pauses and waits for a person's decision. */
  readonly elapsedMs: number
  readonly log: SkillLog
  /** Reports the progress of the skill, from 0 to 1. */
  progress(fraction: number, note?: string): void
  /** Stores the state from which a resume continues. A requested pause takes effect here. */
  checkpoint(state: JsonValue): Promise<void>
  /**
   * Adds to the one write that records the success of this skill: its result, the lease and what the work adds are
   * committed together, or none of it. Work of an attempt that failed is dropped. Not for skills in workers.
   */
  onCommit(work: CommitWork): void
  publish(topic: string, payload: JsonObject, options?: MessageOptions): Promise<Message>
  send(agentId: string, payload: JsonObject, options?: MessageOptions): Promise<Message>
  /** Sends a request and waits for its response; `timeout` is in milliseconds. */
  request(agentId: string, payload: JsonObject, options?: MessageOptions & WaitOptions): Promise<Message>
  /** Answers a request as the running agent: with a response, or with an error when `message_type` says so. */
  reply(request: Message, payload: JsonObject, options?: Omit<ReplyOptions, 'sender_id'>): Promise<Message>
  /** The next message for the running agent; waits if there is none. */
  receive(options?: WaitOptions): Promise<Message>
}
