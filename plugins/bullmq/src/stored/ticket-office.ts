import type { Clock } from '@minions/core'
import { messageOf } from '@minions/core'
import { type Logger, readMillis } from '@minions/core/plugin'
import type { Job } from '@minions/skills-runtime/jobs'
import type { Engine, NewTicket } from '../engine/engine.js'
import { queueName } from '../engine/names.js'

/** Adds tickets for jobs that wait. One that cannot be added is not missed: workers read the store too. */
export class TicketOffice {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #logger: Logger

  constructor(engine: Engine, clock: Clock, logger: Logger) {
    this.#engine = engine
    this.#clock = clock
    this.#logger = logger
  }

  async announce(jobs: readonly Job[]): Promise<void> {
    const now = readMillis(this.#clock)
    const queues = new Map<string, NewTicket[]>()
    for (const { job_id, queue, tag_key, due_at, weight, status } of jobs) {
      // A job without a slot is claimed from the store, so that no ticket waits for a slot that it does not need.
      if (status !== 'waiting' || weight === 0) continue
      const name = queueName(queue, tag_key)
      const tickets = queues.get(name) ?? []
      tickets.push({ job_id, delay: Math.max(0, due_at - now) })
      queues.set(name, tickets)
    }
    await Promise.all([...queues].map(([name, tickets]) => this.#add(name, tickets)))
  }

  async #add(queue: string, tickets: readonly NewTicket[]): Promise<void> {
    try {
      await this.#engine.queue(queue).add(tickets)
    } catch (error) {
      const facts = { queue, jobs: tickets.length, error: messageOf(error) }
      this.#logger.warn('BullMQ is away; jobs are found in the store', facts)
    }
  }
}
