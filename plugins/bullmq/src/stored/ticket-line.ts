import { messageOf } from '@minions/core'
import type { Job } from '@minions/skills-runtime/jobs'
import type { TicketQueue } from '../engine/engine.js'

/** Tickets that may wait to be added to one queue. */
const MOST_PENDING = 10_000

type Announced = Pick<Job, 'job_id' | 'due_at'>

/** Tickets on their way to one queue: those that come while others are being added go together. */
export class TicketLine {
  readonly #queue: () => TicketQueue
  readonly #now: () => number
  readonly #failed: (tickets: number, error: string) => void
  #pending: Announced[] = []
  #adding: Promise<void> | undefined

  constructor(queue: () => TicketQueue, now: () => number, failed: (tickets: number, error: string) => void) {
    this.#queue = queue
    this.#now = now
    this.#failed = failed
  }

  add(job: Announced): void {
    // So many wait only while the server is away, and then the store is read.
    if (this.#pending.length >= MOST_PENDING) return
    this.#pending.push(job)
    this.#adding ??= this.#run().finally(() => {
      this.#adding = undefined
    })
  }

  async settled(): Promise<void> {
    await this.#adding
  }

  async #run(): Promise<void> {
    // Jobs that are announced together come one by one.
    await Promise.resolve()
    while (this.#pending.length > 0) {
      const jobs = this.#pending.splice(0)
      const now = this.#now()
      try {
        await this.#queue().add(jobs.map(({ job_id, due_at }) => ({ job_id, delay: Math.max(0, due_at - now) })))
      } catch (error) {
        this.#failed(jobs.length, messageOf(error))
      }
    }
  }
}
