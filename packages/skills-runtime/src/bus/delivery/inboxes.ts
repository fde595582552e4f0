import { getOrInsert } from '@minions/core/json'
import type { SentMessage } from '../message/sent-message.js'
import type { DeadLetterReason } from './dead-letter.js'
import { Inbox, type ReceiveOptions } from './inbox.js'
import type { MailboxOptions } from './mailbox.js'

/** The mailboxes of all agents. An empty one without a reader takes no memory. */
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
    const message = this.#boxes.get(agentId)?.next()
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

  hasReader(agentId: string): boolean {
    return this.#boxes.get(agentId)?.hasReader === true
  }

  /** Removes all messages of an agent, most urgent first, as if they had never arrived. */
  release(agentId: string): SentMessage[] {
    const deliveries = this.#boxes.get(agentId)?.release() ?? []
    this.#tidy(agentId)
    return deliveries.map(({ message }) => message)
  }

  dropExpired(): void {
    for (const [agentId, box] of this.#boxes) {
      box.dropExpired()
      this.#tidy(agentId)
    }
  }

  /** Empties a mailbox and rejects the callers that wait for a message in it. */
  close(agentId: string, reason: DeadLetterReason, error: (agentId: string) => unknown): void {
    const box = this.#boxes.get(agentId)
    box?.close(reason)
    box?.fail(error(agentId))
    this.#tidy(agentId)
  }

  closeAll(reason: DeadLetterReason, error: () => unknown): void {
    for (const agentId of [...this.#boxes.keys()]) this.close(agentId, reason, error)
  }

  #open(agentId: string): Inbox {
    return getOrInsert(this.#boxes, agentId, () => new Inbox(agentId, this.#options))
  }

  #tidy(agentId: string): void {
    if (this.#boxes.get(agentId)?.isUnused) this.#boxes.delete(agentId)
  }
}
