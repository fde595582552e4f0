import { type Served, servedBy, serves } from '../job/queue-name.js'
import { BeatWatch } from './beat-watch.js'
import { jobsCollection } from './collections.js'
import type { LinkParts } from './link-parts.js'
import { versionsOf } from './read-status.js'

/** Number of jobs that are read when looking for those that no worker can run. */
const MOST_UNSERVED = 100

/** A worker's duties towards other workers on the store. */
export class OtherWorkers {
  readonly #parts: LinkParts
  readonly #watch = new BeatWatch()

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  /** Takes the jobs of dead workers; resolves to true if there were any. */
  async takeFromGone(busy: ReadonlySet<string>): Promise<boolean> {
    const { roster, ledger, timers, taken } = this.#parts
    const { silent, absent } = this.#watch.look(busy, await roster.all(), timers.now())
    const gone = [...absent]
    for (const worker of silent) if (await roster.markDead(worker)) gone.push(worker.record.worker_id)
    for (const workerId of gone) {
      const jobs = await ledger.takeFrom(workerId)
      if (jobs.length > 0) taken(workerId, jobs)
    }
    return gone.length > 0
  }

  /** Reports jobs that neither this worker nor any other can run. */
  async lookForUnserved({ queues, tagKeys }: Served): Promise<void> {
    const { store, roster, unserved } = this.#parts
    const where = { status: 'waiting', not: { queue: { in: queues }, tag_key: { in: tagKeys } } }
    const { items } = await store.find(jobsCollection, { where, limit: MOST_UNSERVED })
    if (items.length === 0) return
    const others = (await roster.all()).map(({ record }) => servedBy({ tags: record.tags, skills: versionsOf(record) }))
    unserved(items.filter((job) => !others.some((served) => serves(served, job))))
  }
}
