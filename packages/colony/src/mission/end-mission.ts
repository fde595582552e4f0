import { readClock } from '@minions/core/plugin'
import type { Revised } from '@minions/core/storage'
import { messageOf } from '../errors.js'
import { type MissionRun, missionLeasesCollection, missionRunsCollection } from '../state/collections.js'
import type { LiveMission, MissionEnd } from './live-mission.js'
import type { MissionServices } from './services.js'

/** The end of a mission that is to be continued later. */
export const PAUSED: MissionEnd = { status: 'paused', error: null }

/** Records the end. Resolves to `undefined` if another process did so, or took over the mission. */
export async function endMission(
  { storage, clock, approvals, log }: MissionServices,
  missionId: string,
  { status, error }: MissionEnd,
  mission?: LiveMission,
): Promise<Revised<MissionRun> | undefined> {
  const ended = await storage.transaction(async (tx) => {
    const run = (await tx.get(missionRunsCollection, missionId)) as MissionRun
    const lease = await tx.get(missionLeasesCollection, missionId)
    const isTaken = mission !== undefined && lease?.token !== mission.token
    const isOpen = run.status === 'running' || (run.status === 'paused' && status === 'cancelled')
    if (!isOpen || (isTaken && status !== 'cancelled')) return undefined
    const elapsed_ms = mission?.elapsedMs ?? Math.max(run.elapsed_ms, lease?.elapsed_ms ?? 0)
    const ended_at = status === 'paused' ? null : readClock(clock)
    const record: MissionRun = { ...run, status, error, ended_at, elapsed_ms }
    const revision = await tx.put(missionRunsCollection, record)
    await tx.delete(missionLeasesCollection, missionId)
    return { record, revision }
  })
  if (ended === undefined || status === 'paused') return ended
  await approvals?.withdraw(missionId).catch((failure: unknown) => {
    log.warn('the pending approvals of a mission could not be withdrawn', {
      mission_id: missionId,
      error: messageOf(failure),
    })
  })
  return ended
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
