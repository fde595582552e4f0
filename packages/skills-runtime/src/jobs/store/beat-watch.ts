import type { Revised } from '@minions/core/storage'
import type { WorkerRecord } from './collections.js'

interface Watched {
  readonly beat: number
  /** When this beat was first seen while the worker had jobs, by a clock that never goes back. */
  readonly since: number
}

/** Workers that have jobs and are gone. */
export interface Gone {
  /** Those that fell silent, to be marked dead first. */
  readonly silent: readonly Revised<WorkerRecord>[]
  /** Those that were marked dead, or have left. */
  readonly absent: readonly string[]
}

/**
 * Finds workers that are gone. A worker is gone when its beat has stood still for the whole of its lease as measured by
 * the process that watches: times of two machines are never compared, so it does not matter how far their clocks are apart.
 */
export class BeatWatch {
  #watched = new Map<string, Watched>()

  /** Looks at the workers that have jobs, `busy`, and at all that are in the roster. `now` is in milliseconds. */
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
