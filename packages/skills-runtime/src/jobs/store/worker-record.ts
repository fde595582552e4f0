import { readClock } from '@minions/core/plugin'
import type { WorkerEndpoint } from '../executor.js'
import type { WorkerRecord } from './collections.js'
import type { LinkParts } from './link-parts.js'

/** Milliseconds between two heartbeats of an idle worker. */
export const IDLE_BEAT = 30_000

/** Milliseconds without a heartbeat after which a worker is dead, although it has no job. */
export function idlePatience({ lease_ms }: WorkerRecord): number {
  return Math.max(3 * IDLE_BEAT, lease_ms)
}

/** The record of a starting worker; one that was marked dead starts again under another id. */
export function workerRecord(
  worker: WorkerEndpoint,
  incarnation: number,
  { clock, host, leaseMs }: Pick<LinkParts, 'clock' | 'host' | 'leaseMs'>,
): WorkerRecord {
  const now = readClock(clock)
  return {
    worker_id: incarnation === 0 ? worker.worker_id : `${worker.worker_id}/${incarnation}`,
    beat: 0,
    lease_ms: leaseMs,
    host: host.name,
    pid: host.pid,
    state: 'active',
    concurrency: worker.concurrency,
    tags: [...worker.tags],
    skills: skillNames(worker),
    started_at: now,
    seen_at: now,
    completed: 0,
    failed: 0,
  }
}

export function skillNames(worker: WorkerEndpoint): string[] {
  return worker.skills().map(({ name, version }) => `${name}@${version}`)
}
