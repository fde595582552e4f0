import { skillsError } from '../errors.js'
import type { DeadLetterReason } from './dead-letter.js'
import type { Delivery, SentMessage } from './delivery.js'
import { Mailbox, type MailboxOptions } from './mailbox.js'

/** How long to wait for a message, and what ends the wait early. */
export interface ReceiveOptions {
  /** Milliseconds; for ever unless given. */
  readonly timeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

interface Receiver {
  readonly deliver: (message: SentMessage) => void
  readonly fail: (error: unknown) => void
}

/** The mailbox of one agent, from which its messages are taken one by one. */
export class Inbox {
  readonly #agentId: string
  readonly #options: MailboxOptions
  readonly #box: Mailbox
  /** Those who wait, first come first served. */
  readonly #receivers = new Set<Receiver>()

  constructor(agentId: string, options: MailboxOptions) {
    this.#agentId = agentId
    this.#options = options
    this.#box = new Mailbox(options)
  }

  get size(): number {
    return this.#box.size
  }

  /** Whether nothing would be lost if the inbox were forgotten. */
  get isUnused(): boolean {
    return this.#box.size === 0 && this.#receivers.size === 0
  }

  put(delivery: Delivery): boolean | Promise<boolean> {
    const [receiver] = this.#receivers
    if (receiver === undefined) return this.#box.put(delivery)
    if (delivery.expiresAt <= this.#options.ledger.now()) {
      this.#options.ledger.expired(delivery)
      return true
    }
    this.#receivers.delete(receiver)
    this.#options.ledger.delivered()
    receiver.deliver(delivery.message)
    return true
  }

  /** The next message if there is one. */
  take(): SentMessage | undefined {
    const delivery = this.#box.take()
    if (delivery !== undefined) this.#options.ledger.delivered()
    return delivery?.message
  }

  /** The next message; waits for it. Throws `RECEIVE_TIMEOUT`, or the reason of the signal. */
  receive({ timeout, signal }: ReceiveOptions = {}): Promise<SentMessage> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const message = this.take()
    if (message !== undefined) return Promise.resolve(message)
    return new Promise((resolve, reject) => {
      const receiver: Receiver = {
        deliver: (next) => {
          stop()
          resolve(next)
        },
        fail: (error) => {
          stop()
          reject(error)
        },
      }
      const abort = () => receiver.fail(signal?.reason)
      const cancelTimer =
        timeout === undefined || timeout === Number.POSITIVE_INFINITY
          ? undefined
          : this.#options.timers.set(timeout, () => receiver.fail(receiveTimeout(this.#agentId, timeout)))
      // A receiver that gave up must not swallow the next message.
      const stop = () => {
        this.#receivers.delete(receiver)
        cancelTimer?.()
        signal?.removeEventListener('abort', abort)
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#receivers.add(receiver)
    })
  }

  dropExpired(): void {
    this.#box.dropExpired()
  }

  close(reason: DeadLetterReason, error: unknown): void {
    this.#box.close(reason)
    for (const receiver of [...this.#receivers]) receiver.fail(error)
  }
}

function receiveTimeout(agentId: string, timeout: number): Error {
  return skillsError('RECEIVE_TIMEOUT', `No message for "${agentId}" came within ${timeout} ms.`, {
    details: { agent_id: agentId, timeout },
  })
}
