import { MessageBus } from '@minions/skills-runtime'
import type { RedisTransport } from '../../src/index.ts'

/** One bus that sends numbers to a topic, and one that notes what it gets. */
export class Traffic {
  readonly received: number[] = []
  readonly acknowledged: number[] = []
  readonly refused: unknown[] = []
  readonly #sender: MessageBus
  readonly #receiver: MessageBus
  #next = 0

  constructor(sender: RedisTransport, receiver: RedisTransport) {
    this.#sender = new MessageBus({ transport: sender })
    this.#receiver = new MessageBus({ transport: receiver, mailboxLimit: 100_000 })
    this.#receiver.subscribe('numbers', ({ payload }) => this.received.push(payload.n as number))
  }

  /** Sends so many, ten at a time, and notes which were acknowledged. */
  async send(count: number, ttl = 60): Promise<void> {
    for (let sent = 0; sent < count; sent += 10) {
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const n = this.#next++
          const before = this.#sender.stats().deadLettered
          try {
            await this.#sender.publish('numbers', { n }, { ttl })
            if (this.#sender.stats().deadLettered === before) this.acknowledged.push(n)
          } catch (error) {
            this.refused.push(error)
          }
        }),
      )
    }
  }

  get deadLettered(): number {
    return this.#sender.stats().deadLettered
  }

  async close(): Promise<void> {
    await Promise.all([this.#sender.close(), this.#receiver.close()])
  }
}
