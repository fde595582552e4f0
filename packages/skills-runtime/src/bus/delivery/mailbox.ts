import type { Timers } from '@minions/core/coordination'
import type { Delivery } from '../message/sent-message.js'
import type { DeadLetterReason } from './dead-letter.js'
import type { Ledger } from './ledger.js'
import { PriorityQueue } from './priority-queue.js'

/** Policy for a full mailbox: the sender waits for capacity, or the message becomes a dead letter. */
export type OverflowPolicy = 'wait' | 'reject'

export interface MailboxOptions {
  readonly limit: number
  readonly overflow: OverflowPolicy
  readonly ledger: Ledger
  readonly timers: Timers
}

interface Blocked {
  readonly delivery: Delivery
  readonly admitted: () => void
  readonly cancelTimer: () => void
}

/** Messages that wait for one reader, most urgent first, at most `limit` of them. */
export class Mailbox {
  readonly #options: MailboxOptions
  readonly #queue = new PriorityQueue<Delivery>()
  readonly #blocked = new PriorityQueue<Blocked>()

  constructor(options: MailboxOptions) {
    this.#options = options
  }

  /** Messages in the box, and those that wait for capacity. */
  get size(): number {
    return this.#queue.size + this.#blocked.size
  }

  /**
   * Adds a message and returns true if it was added. If the box is full and its policy is to wait, the promise resolves
   * as soon as there is capacity or the message has expired.
   */
  put(delivery: Delivery): boolean | Promise<boolean> {
    const { limit, overflow, ledger } = this.#options
    if (this.#queue.size >= limit) this.dropExpired()
    if (this.#queue.size < limit) {
      this.#queue.push(delivery, delivery.message.priority)
      return true
    }
    if (overflow === 'wait') return this.#block(delivery)
    ledger.dead(delivery, 'MAILBOX_FULL')
    return false
  }

  /** The next message that has not expired. */
  take(): Delivery | undefined {
    if (this.#queue.size === 0) return undefined
    const now = this.#options.ledger.now()
    for (;;) {
      const delivery = this.#queue.shift()
      this.#admit()
      if (delivery === undefined || delivery.expiresAt > now) return delivery
      this.#options.ledger.expired(delivery)
    }
  }

  dropExpired(): void {
    const { ledger } = this.#options
    const now = ledger.now()
    const dropped = this.#queue.remove(({ expiresAt }) => expiresAt <= now)
    const gone = this.#blocked.remove(({ delivery }) => delivery.expiresAt <= now)
    this.#admit()
    for (const delivery of dropped) ledger.expired(delivery)
    for (const blocked of gone) this.#release(blocked, () => ledger.expired(blocked.delivery))
  }

  /** Removes all unexpired messages, most urgent first; senders waiting for capacity are released. */
  release(): Delivery[] {
    this.dropExpired()
    const blocked = this.#blocked.remove(() => true)
    for (const waiting of blocked) this.#release(waiting)
    return [...this.#queue.remove(() => true), ...blocked.map(({ delivery }) => delivery)]
  }

  /** Empties the box: messages in it, and those waiting for capacity, become dead letters unless they have expired. */
  close(reason: DeadLetterReason): void {
    this.dropExpired()
    const { ledger } = this.#options
    const blocked = this.#blocked.remove(() => true)
    for (const delivery of this.#queue.remove(() => true)) ledger.dead(delivery, reason)
    for (const waiting of blocked) this.#release(waiting, () => ledger.dead(waiting.delivery, reason))
  }

  #block(delivery: Delivery): Promise<boolean> {
    const { timers, ledger } = this.#options
    return new Promise((resolve) => {
      const cancelTimer = timers.set(delivery.expiresAt - ledger.now(), () => this.dropExpired())
      this.#blocked.push({ delivery, admitted: () => resolve(true), cancelTimer }, delivery.message.priority)
    })
  }

  #admit(): void {
    while (this.#blocked.size > 0 && this.#queue.size < this.#options.limit) {
      const blocked = this.#blocked.shift() as Blocked
      this.#queue.push(blocked.delivery, blocked.delivery.message.priority)
      this.#release(blocked)
    }
  }

  #release(blocked: Blocked, settle?: () => void): void {
    blocked.cancelTimer()
    settle?.()
    blocked.admitted()
  }
}
