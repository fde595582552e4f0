import type { Clock } from '@minions/core'
import { type Logger, readMillis } from '@minions/core/plugin'
import type { Job } from '@minions/skills-runtime/jobs'
import type { Engine } from '../engine/engine.js'
import { queueName } from '../engine/names.js'
import { TicketLine } from './ticket-line.js'

/**
 * Adds tickets to the queues of waiting jobs. No caller waits for that: a job without a ticket is found in the store.
 */
export class TicketOffice {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #lines = new Map<string, TicketLine>()

  constructor(engine: Engine, clock: Clock, logger: Logger) {
    this.#engine = engine
    this.#clock = clock
    this.#logger = logger
  }

  announce(jobs: readonly Job[]): void {
    for (const { status, queue, tag_key, due_at } of jobs) {
      if (status === 'waiting') this.add(queueName(queue, tag_key), due_at)
    }
  }

  /** Adds a ticket to a queue that is due at a time, in milliseconds; now by default. */
  add(queue: string, dueAt = 0): void {
    this.#lineOf(queue).add(dueAt)
  }

  /** Resolves when the requested tickets were added, or could not be. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lines.values()].map((line) => line.settled()))
  }

  #lineOf(queue: string): TicketLine {
    const known = this.#lines.get(queue)
    if (known) return known
    const now = () => readMillis(this.#clock)
    const failed = (error: string) =>
      this.#logger.warn('BullMQ is unavailable; jobs are found in the store', { queue, error })
    const line = new TicketLine((delays) => this.#engine.add(queue, delays), now, failed)
    this.#lines.set(queue, line)
    return line
  }
}
