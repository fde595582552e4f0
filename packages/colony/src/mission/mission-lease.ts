import { generateId } from '@minions/core'
import { isFree, LEASE_CHECKS, leaseOf, repeat, watchLease } from '@minions/core/coordination'
import { type Revised, retryConflicts, unlessConflict, WriteBatch } from '@minions/core/storage'
import { messageOf } from '../errors.js'
import {
  type MissionLease,
  type MissionRun,
  missionLeasesCollection,
  missionRunsCollection,
} from '../state/collections.js'
import { PAUSED } from './end-mission.js'
import type { LiveMission } from './live-mission.js'
import type { MissionServices } from './services.js'

interface ClaimOptions {
  readonly retryFailed: boolean
  /** A lease whose process is known to be gone. */
  readonly stale?: MissionLease | undefined
  readonly signal: AbortSignal
}

/** A mission that this process may run, or the run record of one that it may not. */
export interface Claim {
  readonly lease?: MissionLease
  readonly run: Revised<MissionRun>
}

export function newLease(
  services: Pick<MissionServices, 'clock' | 'leaseMs'>,
  mission_id: string,
  elapsed_ms: number,
): MissionLease {
  return { mission_id, elapsed_ms, ...leaseOf(generateId(), services) }
}

/** Claims a mission, so that one process at a time starts its tasks. Waits while another process runs it. */
export async function awaitLease(
  services: MissionServices,
  missionId: string,
  { stale, retryFailed, signal }: ClaimOptions,
): Promise<Claim> {
  const { storage } = services
  const read = () => storage.get(missionLeasesCollection, missionId)
  for (let known = stale; ; ) {
    // The run is read first; taking the lease afterwards does not change it.
    const run = (await storage.getRevised(missionRunsCollection, missionId)) as Revised<MissionRun>
    const found = await storage.getRevised(missionLeasesCollection, missionId)
    const { status } = run.record
    const isOver = status !== 'running' && status !== 'paused'
    if (isOver && (!retryFailed || status === 'completed')) return { run }
    if (status !== 'running' || isFree(found?.record, services.clock, known)) {
      const claim = await take(services, run, found)
      if (claim !== undefined) return claim
    } else if (found) {
      const { lease, free } = await watchLease(found.record, read, { ...services, signal })
      known = free ? lease : undefined
    }
  }
}

/** Resolves to `undefined` when another process got there first. */
async function take(
  services: MissionServices,
  { record: run, revision: ifRevision }: Revised<MissionRun>,
  found: Revised<MissionLease> | undefined,
): Promise<Claim | undefined> {
  const { mission_id } = run
  const lease = newLease(services, mission_id, Math.max(run.elapsed_ms, found?.record.elapsed_ms ?? 0))
  const next: MissionRun = { ...run, status: 'running', ended_at: null, error: null }
  const batch = new WriteBatch()
  const revision = batch.put(missionRunsCollection, next, { ifRevision })
  batch.put(missionLeasesCollection, lease, found ? { ifRevision: found.revision } : { ifAbsent: true })
  const written = services.storage.write(batch).then(() => ({ lease, run: { record: next, revision } }))
  return unlessConflict(written)
}

/**
 * Renews the lease of a mission that runs here, even while it is ending, until the returned function is called, and
 * notices changes by other processes: the mission is stopped if one ended it, and interrupted if one took it over.
 */
export function keepLease(services: MissionServices, mission: LiveMission): () => void {
  const { timers, leaseMs, log } = services
  const failed = (error: unknown) => {
    log.warn('the lease of a mission could not be renewed', { mission_id: mission.id, error: messageOf(error) })
  }
  const tick = () => renew(services, mission, () => (mission.interrupted ? 0 : leaseMs))
  return repeat(leaseMs / LEASE_CHECKS, tick, failed, timers, { background: true })
}

/** Lets another process claim the mission at once; tasks still running here may finish. */
export function giveUpLease(services: MissionServices, mission: LiveMission): Promise<void> {
  // It may be renewed concurrently.
  return retryConflicts((write) => write(renew(services, mission, () => 0)), Number.POSITIVE_INFINITY)
}

/** `leaseMs` is evaluated right before the write, since the mission may have been interrupted during the read. */
async function renew({ storage, clock }: MissionServices, mission: LiveMission, leaseMs: () => number): Promise<void> {
  const { token } = mission
  const found = await storage.getRevised(missionLeasesCollection, mission.id)
  if (found?.record.token === token) {
    const lease = { ...found.record, ...leaseOf(token, { clock, leaseMs: leaseMs() }), elapsed_ms: mission.elapsedMs }
    await storage.put(missionLeasesCollection, lease, { ifRevision: found.revision })
    return
  }
  const run = await storage.get(missionRunsCollection, mission.id)
  // The mission may have ended here in the meantime.
  if (run === undefined || mission.run.status !== 'running') return
  if (run.status === 'paused') mission.drain(PAUSED)
  else if (run.status !== 'running') mission.stop({ status: run.status, error: run.error })
  else mission.interrupt()
}
