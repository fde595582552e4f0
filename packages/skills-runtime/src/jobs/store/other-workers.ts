import type { Revised } from '@minions/core/storage'
import { type Served, servedBy } from '../job/queue-name.js'
import { BeatWatch } from './beat-watch.js'
import { jobsCollection, type WorkerRecord } from './collections.js'
import type { LinkParts } from './link-parts.js'
import { versionsOf } from './read-status.js'
import { idlePatience } from './worker-record.js'

/** Maximum number of queues that are reported: every skill name that someone mistypes makes one. */
const MOST_REPORTED = 100

/** A worker's duties towards other workers on the store. */
export class OtherWorkers {
  readonly #parts: LinkParts
  readonly #busy = new BeatWatch(({ lease_ms }) => lease_ms)
  readonly #idle = new BeatWatch(idlePatience)
  readonly #reported: { readonly queue: string; readonly tag_key: string }[] = []
  #roster: readonly WorkerRecord[] = []

  constructor(parts: LinkParts) {
    this.#parts = parts
  }

  /** Takes the jobs of dead workers; resolves to true if there were any. */
  async takeFromGone(busy: ReadonlySet<string>): Promise<boolean> {
    const { roster, ledger, timers, taken } = this.#parts
    const all = await roster.all()
    const present = new Set(all.map(({ record }) => record.worker_id))
    const working = all.filter(({ record }) => busy.has(record.worker_id))
    const gone = [...busy].filter((workerId) => !present.has(workerId))
    gone.push(...(await this.#markDead(this.#busy.silent(working, timers.now()))))
    for (const workerId of gone) {
      const jobs = await ledger.takeFrom(workerId)
      if (jobs.length > 0) taken(workerId, jobs)
    }
    return gone.length > 0
  }

  /** Removes workers that died while they were idle, so that jobs which only they could run are reported. */
  async forgetIdle(): Promise<void> {
    const { roster, timers } = this.#parts
    const all = await roster.all()
    const dead = new Set(await this.#markDead(this.#idle.silent(all, timers.now())))
    this.#roster = all.flatMap(({ record }) => (dead.has(record.worker_id) ? [] : [record]))
  }

  /** Reports jobs that neither this worker nor any other can run, once for each skill and set of tags. */
  async reportUnserved(own: Served): Promise<void> {
    const { store, log } = this.#parts
    const others = this.#roster.filter(({ state }) => state === 'active').map(servedByRecord)
    const served = [own, ...others].map(({ queues, tagKeys }) => ({ queue: { in: queues }, tag_key: { in: tagKeys } }))
    while (this.#reported.length < MOST_REPORTED) {
      const where = { status: 'waiting', not: { or: [...served, ...this.#reported] } }
      const [job] = (await store.find(jobsCollection, { where, limit: 1 })).items
      if (job === undefined) return
      const { job_id, queue, tags, tag_key } = job
      this.#reported.push({ queue, tag_key })
      log.warn('no worker can run a waiting job', { job_id, queue, tags })
    }
  }

  /** Resolves to the ids of those that have not shown since that they are alive. */
  async #markDead(silent: readonly Revised<WorkerRecord>[]): Promise<string[]> {
    const dead: string[] = []
    for (const worker of silent) if (await this.#parts.roster.markDead(worker)) dead.push(worker.record.worker_id)
    return dead
  }
}

function servedByRecord(worker: WorkerRecord): Served {
  return servedBy({ tags: worker.tags, skills: versionsOf(worker) })
}
