import type { Clock } from '@minions/core'
import type { Timers } from '@minions/core/coordination'
import type { Revised, StoreAccess } from '@minions/core/storage'
import type { Job } from '../job/job-schema.js'
import type { Served } from '../job/queue-name.js'
import { jobsCollection, limitsCollection } from './collections.js'
import { JobLedger } from './job-ledger.js'
import type { LinkParts } from './link-parts.js'

/** Milliseconds for which limits are cached. */
const REMEMBER_LIMITS = 1000

/** Claims jobs for a worker within the skill limits, which apply across all workers. */
export class JobClaimer {
  readonly #store: StoreAccess
  readonly #ledger: JobLedger
  readonly #clock: Clock
  readonly #timers: Timers
  #limits: ReadonlyMap<string, number> = new Map()
  #readAt = Number.NEGATIVE_INFINITY

  constructor({ store, clock, timers }: Pick<LinkParts, 'store' | 'clock' | 'timers'>) {
    this.#store = store
    this.#clock = clock
    this.#timers = timers
    this.#ledger = new JobLedger(store, { clock })
  }

  /** True if any skill was limited when that was last read. */
  get hasLimits(): boolean {
    return this.#limits.size > 0
  }

  /** Claims up to that many jobs; with 0, only jobs that need no slot. */
  async claim(workerId: string, served: Served, slots: number): Promise<Revised<Job>[]> {
    const light = slots === 0
    const most = light ? MOST_LIGHT : slots
    const limits = await this.#currentLimits()
    const limited = new Map([...limits].filter(([skill]) => served.queues.some((queue) => skillOf(queue) === skill)))
    if (limited.size === 0) return this.#ledger.claim(workerId, served, most, { light })
    return this.#store.transaction((tx) => this.#claimWithin(tx, limited, workerId, served, most, light))
  }

  /**
   * Claims in the order of the jobs, whether their skills are limited or not. Of two workers that count at the same time,
   * the transaction of one is run again and counts what the other took.
   */
  async #claimWithin(
    tx: StoreAccess,
    limits: ReadonlyMap<string, number>,
    workerId: string,
    served: Served,
    most: number,
    light: boolean,
  ): Promise<Revised<Job>[]> {
    const ledger = new JobLedger(tx, { clock: this.#clock })
    const capacity = new Map<string, number>()
    for (const [skill, limit] of limits) {
      const where = { status: 'running', skill_name: skill }
      capacity.set(skill, limit - (await tx.count(jobsCollection, { where })))
    }
    const claimed: Revised<Job>[] = []
    while (claimed.length < most) {
      const queues = served.queues.filter((queue) => (capacity.get(skillOf(queue)) ?? 1) > 0)
      // Few enough not to exceed the limit of any skill.
      const step = Math.min(most - claimed.length, ...[...capacity.values()].filter((free) => free > 0))
      const taken = await ledger.claim(workerId, { ...served, queues }, step, { light })
      for (const { record } of taken) {
        const free = capacity.get(record.skill_name)
        if (free !== undefined) capacity.set(record.skill_name, free - 1)
      }
      claimed.push(...taken)
      if (taken.length < step) break
    }
    return claimed
  }

  async #currentLimits(): Promise<ReadonlyMap<string, number>> {
    const now = this.#timers.now()
    if (now - this.#readAt < REMEMBER_LIMITS) return this.#limits
    const { items } = await this.#store.find(limitsCollection, { limit: 1000 })
    this.#limits = new Map(items.map(({ skill_name, limit }) => [skill_name, limit]))
    this.#readAt = now
    return this.#limits
  }
}

/** Maximum number of jobs without a slot that a worker takes at once; each of them waits for others. */
export const MOST_LIGHT = 32

function skillOf(queue: string): string {
  return queue.slice(0, queue.lastIndexOf('@'))
}
