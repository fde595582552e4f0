import { type Clock, messageOf } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { type Logger, readMillis } from '@minions/core/plugin'
import type { Job } from '@minions/skills-runtime/jobs'
import type { BullmqEngine } from '../engine/bullmq-engine.js'
import { queueName } from '../engine/names.js'

/** Maximum number of tickets waiting to be added to one queue. */
const MOST_PENDING = 10_000

/** The tickets of one queue that are not added yet. */
interface Line {
  /** When each is due, in milliseconds; one is enough for all jobs that are due at a time. */
  readonly pending: Set<number>
  adding?: Promise<void> | undefined
}

/**
 * Adds tickets to the queues of waiting jobs. No caller waits for that: a job without a ticket is found in the store.
 */
export class TicketOffice {
  readonly #engine: BullmqEngine
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #lines = new Map<string, Line>()

  constructor(engine: BullmqEngine, clock: Clock, logger: Logger) {
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
    const line = getOrInsert(this.#lines, queue, (): Line => ({ pending: new Set() }))
    // That many wait only while the server is unavailable, and then workers read the store.
    if (line.pending.size >= MOST_PENDING) return
    line.pending.add(dueAt <= readMillis(this.#clock) ? 0 : dueAt)
    line.adding ??= this.#send(queue, line.pending).finally(() => {
      line.adding = undefined
    })
  }

  /** Resolves when the requested tickets were added, or could not be. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lines.values()].map(({ adding }) => adding))
  }

  /** Tickets that arrive while others are being added go together. */
  async #send(queue: string, pending: Set<number>): Promise<void> {
    // Jobs that are announced together come one by one.
    await Promise.resolve()
    while (pending.size > 0) {
      const now = readMillis(this.#clock)
      const delays = [...pending].map((dueAt) => Math.max(0, dueAt - now))
      pending.clear()
      try {
        await this.#engine.add(queue, delays)
      } catch (error) {
        const problem = { queue, error: messageOf(error) }
        this.#logger.warn('BullMQ is unavailable; jobs are found in the store', problem)
      }
    }
  }
}
