import { Fifo, withDeadline } from '@minions/core/coordination'
import { skillsError } from '../../errors.js'
import type { Delivery, SentMessage } from '../message/sent-message.js'
import type { DeadLetterReason } from './dead-letter.js'
import { Mailbox, type MailboxOptions } from './mailbox.js'

/** Options for waiting for a message. */
export interface ReceiveOptions {
  /** Milliseconds to wait; forever by default. */
  readonly timeout?: number | undefined
  /** The same with the unit in its name; give one of the two. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

interface Receiver {
  readonly deliver: (message: SentMessage) => void
  readonly fail: (error: unknown) => void
}

/** The mailbox of one agent, whose messages are received one by one. */
export class Inbox {
  readonly #agentId: string
  readonly #options: MailboxOptions
  readonly #box: Mailbox
  /** Waiting receivers, first come, first served. */
  readonly #receivers = new Fifo<Receiver>()

  constructor(agentId: string, options: MailboxOptions) {
    this.#agentId = agentId
    this.#options = options
    this.#box = new Mailbox(options)
  }

  get size(): number {
    return this.#box.size
  }

  get hasReader(): boolean {
    return this.#receivers.size > 0
  }

  /** True if the inbox can be discarded without loss. */
  get isUnused(): boolean {
    return this.#box.size === 0 && this.#receivers.size === 0
  }

  put(delivery: Delivery): boolean | Promise<boolean> {
    if (this.#receivers.size === 0) return this.#box.put(delivery)
    if (delivery.expiresAt <= this.#options.ledger.now()) {
      this.#options.ledger.expired(delivery)
      return true
    }
    this.#options.ledger.delivered()
    this.#receivers.shift()?.deliver(delivery.message)
    return true
  }

  /** The next message if there is one. */
  take(): SentMessage | undefined {
    const delivery = this.#box.take()
    if (delivery !== undefined) this.#options.ledger.delivered()
    return delivery?.message
  }

  /** The next message; waits for it. Throws `RECEIVE_TIMEOUT`, or the reason of the signal. */
  receive({ timeoutMs, timeout = timeoutMs, signal }: ReceiveOptions = {}): Promise<SentMessage> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const message = this.take()
    if (message !== undefined) return Promise.resolve(message)
    let abandon = () => {}
    const received = new Promise<SentMessage>((deliver, fail) => {
      const entry = this.#receivers.push({ deliver, fail })
      // A receiver that gave up must not swallow the next message.
      abandon = () => this.#receivers.delete(entry)
    })
    const expired = () => {
      throw receiveTimeout(this.#agentId, timeout)
    }
    return withDeadline(received, { timeout, timers: this.#options.timers, signal, expired, abandon })
  }

  /** Removes all messages, most urgent first; they count as if they had never arrived. */
  release(): SentMessage[] {
    const deliveries = this.#box.release()
    this.#options.ledger.accept(-deliveries.length)
    return deliveries.map(({ message }) => message)
  }

  dropExpired(): void {
    this.#box.dropExpired()
  }

  close(reason: DeadLetterReason, error: unknown): void {
    this.#box.close(reason)
    for (const receiver of this.#receivers.remove(() => true)) receiver.fail(error)
  }
}

function receiveTimeout(agentId: string, timeout = 0): Error {
  return skillsError('RECEIVE_TIMEOUT', `No message for "${agentId}" arrived within ${timeout} ms.`, {
    details: { agent_id: agentId, timeout },
  })
}
