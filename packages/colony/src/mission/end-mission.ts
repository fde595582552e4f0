import type { Clock } from '@minions/core'
import { readClock } from '@minions/core/plugin'
import { type Revised, unlessConflict, WriteBatch } from '@minions/core/storage'
import { messageOf } from '../errors.js'
import { type MissionRun, missionLeasesCollection, missionRunsCollection } from '../state/collections.js'
import type { LiveMission, MissionEnd } from './live-mission.js'
import type { MissionServices } from './services.js'

/** The end of a mission that is to be continued later. */
export const PAUSED: MissionEnd = { status: 'paused', error: null }

/** Records the end. Resolves to `undefined` if another process did so, or took over the mission. */
export async function endMission(
  services: MissionServices,
  missionId: string,
  end: MissionEnd,
  mission?: LiveMission,
): Promise<Revised<MissionRun> | undefined> {
  const { approvals, log } = services
  const { status } = end
  const ended =
    (mission && (await endUnchanged(services, end, mission))) ?? (await endStored(services, missionId, end, mission))
  if (ended === undefined || status === 'paused') return ended
  await approvals?.withdraw(missionId).catch((failure: unknown) => {
    log.warn('the pending approvals of a mission could not be withdrawn', {
      mission_id: missionId,
      error: messageOf(failure),
    })
  })
  return ended
}

/** Ends a mission as it is known here, with one batch; `undefined` if another process has changed it or its lease. */
async function endUnchanged(
  { storage, clock }: MissionServices,
  end: MissionEnd,
  mission: LiveMission,
): Promise<Revised<MissionRun> | undefined> {
  const lease = await storage.getRevised(missionLeasesCollection, mission.id)
  if (mission.run.status !== 'running' || lease?.record.token !== mission.token) return undefined
  const record = endedRun(mission.run, end, mission.elapsedMs, clock)
  const batch = new WriteBatch()
  const revision = batch.put(missionRunsCollection, record, { ifRevision: mission.runRevision })
  batch.delete(missionLeasesCollection, mission.id, { ifRevision: lease.revision })
  return unlessConflict(storage.write(batch).then(() => ({ record, revision })))
}

function endStored(
  { storage, clock }: MissionServices,
  missionId: string,
  end: MissionEnd,
  mission?: LiveMission,
): Promise<Revised<MissionRun> | undefined> {
  return storage.transaction(async (tx) => {
    const run = (await tx.get(missionRunsCollection, missionId)) as MissionRun
    const lease = await tx.get(missionLeasesCollection, missionId)
    const isTaken = mission !== undefined && lease?.token !== mission.token
    const isOpen = run.status === 'running' || (run.status === 'paused' && end.status === 'cancelled')
    if (!isOpen || (isTaken && end.status !== 'cancelled')) return undefined
    const elapsed = mission?.elapsedMs ?? Math.max(run.elapsed_ms, lease?.elapsed_ms ?? 0)
    const record = endedRun(run, end, elapsed, clock)
    const revision = await tx.put(missionRunsCollection, record)
    await tx.delete(missionLeasesCollection, missionId)
    return { record, revision }
  })
}

function endedRun(run: MissionRun, { status, error }: MissionEnd, elapsed_ms: number, clock: Clock): MissionRun {
  return { ...run, status, error, ended_at: status === 'paused' ? null : readClock(clock), elapsed_ms }
}

/** The run of a mission that another process has paused while it ran here. */
export async function pausedElsewhere(
  { storage }: MissionServices,
  missionId: string,
  { status }: MissionEnd,
): Promise<Revised<MissionRun> | undefined> {
  if (status !== PAUSED.status) return undefined
  const run = await storage.getRevised(missionRunsCollection, missionId)
  return run?.record.status === PAUSED.status ? run : undefined
}
