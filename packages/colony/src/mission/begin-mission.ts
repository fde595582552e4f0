import type { MissionEnvelope } from '@minions/colony-contracts'
import { readClock } from '@minions/core/plugin'
import { colonyError } from '../errors.js'
import { type MissionRun, missionLeasesCollection, missionRunsCollection } from '../state/collections.js'
import type { MissionState } from './live-mission.js'
import { newLease } from './mission-lease.js'
import type { MissionServices } from './services.js'

/** Stores a mission that runs, and its lease. Throws `INVALID_ARTIFACT`, or `MISSION_EXISTS` if it was started before. */
export async function beginMission(services: MissionServices, envelope: MissionEnvelope): Promise<MissionState> {
  const { contracts, clock } = services
  return contracts.store.transaction(async (store) => {
    const { artifact: stored } = await store.put(envelope)
    const { mission_id, tenant_id } = stored
    const known = await store.storage.get(missionRunsCollection, mission_id)
    if (known !== undefined) {
      throw colonyError('MISSION_EXISTS', `Mission ${mission_id} was started at ${known.started_at}; resume it.`, {
        details: { mission_id, status: known.status },
      })
    }
    const started_at = readClock(clock)
    const run: MissionRun = {
      mission_id,
      tenant_id,
      status: 'running',
      started_at,
      ended_at: null,
      error: null,
      elapsed_ms: 0,
    }
    const lease = newLease(services, mission_id, 0)
    const revision = await store.storage.put(missionRunsCollection, run)
    await store.storage.put(missionLeasesCollection, lease)
    const graph = await store.forTenant(tenant_id).get(mission_id, 'mission_task_graph')
    const nothing = { taskRuns: [], artifacts: new Map(), answers: [] }
    return { envelope: stored, graph, run: { record: run, revision }, lease, ...nothing }
  })
}
