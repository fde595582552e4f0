import type { Revised } from '@minions/core/storage'
import type { WorkerRecord } from './collections.js'

interface Watched {
  readonly beat: number
  /** When this beat was first seen, by a monotonic clock. */
  readonly since: number
}

/**
 * Finds dead workers. A worker is dead when its heartbeat counter has not changed for long enough, as measured by the
 * watching process: times of two machines are never compared, so their clocks may differ by any amount.
 */
export class BeatWatch {
  readonly #patience: (worker: WorkerRecord) => number
  #watched = new Map<string, Watched>()

  /** `patience` is the number of milliseconds after which a worker is dead. */
  constructor(patience: (worker: WorkerRecord) => number) {
    this.#patience = patience
  }

  /** The dead ones of these workers. One that is left out is watched anew the next time. `now` is in milliseconds. */
  silent(workers: readonly Revised<WorkerRecord>[], now: number): Revised<WorkerRecord>[] {
    const watched = new Map<string, Watched>()
    const silent = workers.filter(({ record }) => {
      const known = this.#watched.get(record.worker_id)
      const since = known?.beat === record.beat ? known.since : now
      watched.set(record.worker_id, { beat: record.beat, since })
      return now - since >= this.#patience(record)
    })
    this.#watched = watched
    return silent
  }
}
