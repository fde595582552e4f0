import { Fifo, withDeadline } from '@minions/core/coordination'
import { skillsError } from '../../errors.js'
import type { Delivery, SentMessage } from '../message/sent-message.js'
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
export class Inbox extends Mailbox {
  readonly #agentId: string
  readonly #options: MailboxOptions
  readonly #receivers = new Fifo<Receiver>()

  constructor(agentId: string, options: MailboxOptions) {
    super(options)
    this.#agentId = agentId
    this.#options = options
  }

  get hasReader(): boolean {
    return this.#receivers.size > 0
  }

  /** True if the inbox can be discarded without loss. */
  get isUnused(): boolean {
    return this.size === 0 && this.#receivers.size === 0
  }

  override put(delivery: Delivery): boolean | Promise<boolean> {
    if (this.#receivers.size === 0) return super.put(delivery)
    if (delivery.expiresAt <= this.#options.ledger.now()) {
      this.#options.ledger.expired(delivery)
      return true
    }
    this.#options.ledger.delivered()
    this.#receivers.shift()?.deliver(delivery.message)
    return true
  }

  next(): SentMessage | undefined {
    const delivery = this.take()
    if (delivery !== undefined) this.#options.ledger.delivered()
    return delivery?.message
  }

  /** The next message; waits for it. Throws `RECEIVE_TIMEOUT`, or the reason of the signal. */
  receive({ timeoutMs, timeout = timeoutMs, signal }: ReceiveOptions = {}): Promise<SentMessage> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const message = this.next()
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
  override release(): Delivery[] {
    const deliveries = super.release()
    this.#options.ledger.accept(-deliveries.length)
    return deliveries
  }

  /** Rejects the callers that wait. */
  fail(error: unknown): void {
    for (const receiver of this.#receivers.remove(() => true)) receiver.fail(error)
  }
}

function receiveTimeout(agentId: string, timeout = 0): Error {
  return skillsError('RECEIVE_TIMEOUT', `No message for "${agentId}" arrived within ${timeout} ms.`, {
    details: { agent_id: agentId, timeout },
  })
}
