import type { SentMessage } from '../message/sent-message.js'
import type { DeadLetterReason } from './dead-letter.js'
import type { Ledger } from './ledger.js'
import { Mailbox, type MailboxOptions } from './mailbox.js'
import type { Subscriber } from './subscriptions.js'

/** Receives the messages of a topic, one at a time. If it throws or rejects, the message becomes a dead letter. */
export type MessageHandler = (message: SentMessage) => unknown

/** One subscriber. Messages that arrive while its handler is running wait in its own mailbox. */
export class Subscription implements Subscriber {
  readonly pattern: string
  readonly #handler: MessageHandler
  readonly #options: MailboxOptions
  readonly #ledger: Ledger
  /** Created lazily, when a message first has to wait, which for most subscribers never happens. */
  #box: Mailbox | undefined
  #isBusy = false
  #whenIdle: (() => void)[] = []

  constructor(pattern: string, handler: MessageHandler, options: MailboxOptions) {
    this.pattern = pattern
    this.#handler = handler
    this.#options = options
    this.#ledger = options.ledger
  }

  /** Messages that wait, and the one that is being handled. */
  get size(): number {
    return (this.#box?.size ?? 0) + (this.#isBusy ? 1 : 0)
  }

  put(message: SentMessage, expiresAt: number, now: number): boolean | Promise<boolean> {
    if (this.#isBusy || (this.#box !== undefined && this.#box.size > 0)) {
      this.#box ??= new Mailbox(this.#options)
      return this.#box.put({ message, expiresAt, target: this.pattern })
    }
    if (expiresAt <= now) this.#ledger.expired({ message, expiresAt, target: this.pattern })
    else if (this.#handle(message)) this.#next()
    return true
  }

  dropExpired(): void {
    this.#box?.dropExpired()
  }

  /** Resolves when no message waits or is being handled. */
  idle(): Promise<void> {
    if (!this.#isBusy) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  close(reason: DeadLetterReason): void {
    this.#box?.close(reason)
  }

  /** Calls the handler; true if it finished synchronously. */
  #handle(message: SentMessage): boolean {
    this.#isBusy = true
    try {
      const returned = this.#handler(message)
      if (isThenable(returned)) {
        returned.then(
          () => this.#finish(() => this.#ledger.delivered()),
          (error: unknown) => this.#finish(() => this.#fail(message, error)),
        )
        return false
      }
      this.#isBusy = false
      this.#ledger.delivered()
    } catch (error) {
      this.#isBusy = false
      this.#fail(message, error)
    }
    return true
  }

  #finish(settle: () => void): void {
    this.#isBusy = false
    settle()
    this.#next()
  }

  #next(): void {
    if (this.#isBusy) return
    for (;;) {
      const delivery = this.#box?.take()
      if (delivery === undefined) break
      if (!this.#handle(delivery.message)) return
    }
    if (this.#whenIdle.length === 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  #fail(message: SentMessage, error: unknown): void {
    const delivery = { message, expiresAt: 0, target: this.pattern }
    this.#ledger.dead(delivery, 'HANDLER_FAILED', error ?? new Error('The handler failed without a reason.'))
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
