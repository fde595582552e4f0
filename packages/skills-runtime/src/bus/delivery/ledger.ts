import type { Clock, TypedEmitter } from '@minions/core'
import { type Logger, readClock, readMillis } from '@minions/core/plugin'
import type { Delivery, SentMessage } from '../message/sent-message.js'
import type { DeadLetter, DeadLetterReason } from './dead-letter.js'

/** Counts of messages. Always `deliveries = delivered + expired + deadLettered + pending`. */
export interface BusStats {
  /** Messages that were accepted from senders. */
  readonly sent: number
  /** One for each mailbox or subscriber of a message; one for a message without any. */
  readonly deliveries: number
  readonly delivered: number
  readonly expired: number
  readonly deadLettered: number
  /** In a mailbox, waiting for capacity in one, or being handled. */
  readonly pending: number
  readonly deadLetters: Readonly<Partial<Record<DeadLetterReason, number>>>
}

/** What can be observed on a bus. */
export interface BusEvents {
  sent: SentMessage
  expired: { readonly message: SentMessage; readonly target: string }
  'dead-letter': DeadLetter
}

export interface LedgerOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly events: TypedEmitter<BusEvents>
  /** Maximum number of dead letters to keep; all are counted. */
  readonly keep: number
  /** Called for every failed delivery, so that a request need not wait for its timeout. */
  readonly onLost: (message: SentMessage, reason: DeadLetterReason | 'EXPIRED') => void
}

/** Counts every delivery exactly once, and keeps the last dead letters. */
export class Ledger {
  readonly #counts = { sent: 0, deliveries: 0, delivered: 0, expired: 0, deadLettered: 0 }
  readonly #reasons = new Map<DeadLetterReason, number>()
  readonly #options: LedgerOptions
  #deadLetters: DeadLetter[] = []

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  now(): number {
    return readMillis(this.#options.clock)
  }

  sent(message: SentMessage): void {
    this.#counts.sent++
    const { events } = this.#options
    if (events.listenerCount('sent') > 0) events.emit('sent', message)
  }

  /** Each must be followed by exactly one of `delivered`, `expired` and `dead`. */
  accept(deliveries = 1): void {
    this.#counts.deliveries += deliveries
  }

  delivered(): void {
    this.#counts.delivered++
  }

  expired({ message, target }: Delivery): void {
    this.#counts.expired++
    this.#options.logger.debug('message expired', facts(message, target))
    this.#options.events.emit('expired', { message, target })
    this.#options.onLost(message, 'EXPIRED')
  }

  dead({ message, target }: Delivery, reason: DeadLetterReason, error?: unknown): void {
    this.#counts.deadLettered++
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
    const at = readClock(this.#options.clock)
    const deadLetter: DeadLetter = { message, reason, target, at, ...(error !== undefined && { error }) }
    this.#deadLetters.push(deadLetter)
    // Truncated rarely, so that the cost per letter is constant.
    if (this.#deadLetters.length >= 2 * this.#options.keep) this.#deadLetters = this.deadLetters()
    this.#options.logger.warn('message not delivered', { ...facts(message, target), reason, error })
    this.#options.events.emit('dead-letter', deadLetter)
    this.#options.onLost(message, reason)
  }

  deadLetters(): DeadLetter[] {
    return this.#options.keep === 0 ? [] : this.#deadLetters.slice(-this.#options.keep)
  }

  /** `pending` is counted where the messages are, so that a lost one is noticed. */
  stats(pending: number): BusStats {
    return { ...this.#counts, pending, deadLetters: Object.fromEntries(this.#reasons) }
  }
}

function facts(message: SentMessage, target: string) {
  const { message_id, sender_id, topic, recipient_id, correlation_id } = message
  return { message_id, sender_id, topic, recipient_id, correlation_id, target }
}
