import type { DeadLetterReason } from './dead-letter.js'
import type { SentMessage } from './delivery.js'
import { Inbox, type ReceiveOptions } from './inbox.js'
import type { MailboxOptions } from './mailbox.js'

/** The mailboxes of all agents. One that is empty and that nobody reads takes no memory. */
export class Inboxes {
  readonly #boxes = new Map<string, Inbox>()
  readonly #options: MailboxOptions

  constructor(options: MailboxOptions) {
    this.#options = options
  }

  get size(): number {
    return [...this.#boxes.values()].reduce((sum, box) => sum + box.size, 0)
  }

  put(agentId: string, message: SentMessage, expiresAt: number): boolean | Promise<boolean> {
    const taken = this.#open(agentId).put({ message, expiresAt, target: agentId })
    this.#tidy(agentId)
    return taken
  }

  take(agentId: string): SentMessage | undefined {
    const message = this.#boxes.get(agentId)?.take()
    this.#tidy(agentId)
    return message
  }

  async receive(agentId: string, options?: ReceiveOptions): Promise<SentMessage> {
    try {
      return await this.#open(agentId).receive(options)
    } finally {
      this.#tidy(agentId)
    }
  }

  dropExpired(): void {
    for (const [agentId, box] of this.#boxes) {
      box.dropExpired()
      this.#tidy(agentId)
    }
  }

  /** Empties a mailbox and turns away whoever waits for a message in it. */
  close(agentId: string, reason: DeadLetterReason, error: () => unknown): void {
    this.#boxes.get(agentId)?.close(reason, error())
    this.#tidy(agentId)
  }

  closeAll(reason: DeadLetterReason, error: () => unknown): void {
    for (const agentId of [...this.#boxes.keys()]) this.close(agentId, reason, error)
  }

  #open(agentId: string): Inbox {
    const box = this.#boxes.get(agentId) ?? new Inbox(agentId, this.#options)
    this.#boxes.set(agentId, box)
    return box
  }

  #tidy(agentId: string): void {
    if (this.#boxes.get(agentId)?.isUnused) this.#boxes.delete(agentId)
  }
}
