import type { Revised } from '@minions/core/storage'
import type { WorkerRecord } from './collections.js'

interface Watched {
  readonly beat: number
  /** When this beat was first seen while the worker had jobs, by a monotonic clock. */
  readonly since: number
}

/** Dead workers that have jobs. */
export interface Gone {
  /** Silent workers, to be marked dead first. */
  readonly silent: readonly Revised<WorkerRecord>[]
  /** Workers that were marked dead or have left. */
  readonly absent: readonly string[]
}

/**
 * Finds dead workers. A worker is dead when its heartbeat counter has not changed for its whole lease, as measured by
 * the watching process: times of two machines are never compared, so their clocks may differ by any amount.
 */
export class BeatWatch {
  #watched = new Map<string, Watched>()

  /** Examines the workers that have jobs, `busy`, and all workers in the roster. `now` is in milliseconds. */
  look(busy: ReadonlySet<string>, roster: readonly Revised<WorkerRecord>[], now: number): Gone {
    const watched = new Map<string, Watched>()
    const silent: Revised<WorkerRecord>[] = []
    const present = new Map(roster.map((worker) => [worker.record.worker_id, worker]))
    for (const workerId of busy) {
      const worker = present.get(workerId)
      if (worker === undefined) continue
      const { beat, lease_ms } = worker.record
      const known = this.#watched.get(workerId)
      const since = known?.beat === beat ? known.since : now
      watched.set(workerId, { beat, since })
      if (now - since >= lease_ms) silent.push(worker)
    }
    this.#watched = watched
    return { silent, absent: [...busy].filter((workerId) => !present.has(workerId)) }
  }
}
