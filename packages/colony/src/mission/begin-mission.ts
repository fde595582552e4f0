import type { MissionEnvelope } from '@minions/colony-contracts'
import { readClock } from '@minions/core/plugin'
import { unlessConflict, WriteBatch } from '@minions/core/storage'
import { colonyError } from '../errors.js'
import { type MissionRun, missionLeasesCollection, missionRunsCollection } from '../state/collections.js'
import type { MissionState } from './live-mission.js'
import { newLease } from './mission-lease.js'
import type { MissionServices } from './services.js'

/** Stores a mission that runs, and its lease. Throws `INVALID_ARTIFACT`, or `MISSION_EXISTS` if it was started before. */
export async function beginMission(services: MissionServices, envelope: MissionEnvelope): Promise<MissionState> {
  return (await unlessConflict(beginNew(services, envelope))) ?? beginStored(services, envelope)
}

/** Begins a mission of which nothing is stored, with one batch; a `CONFLICT` otherwise. */
async function beginNew(services: MissionServices, envelope: MissionEnvelope): Promise<MissionState> {
  const { ledger, plan } = services.contracts.store.newMission(envelope)
  const stored = plan.results[0]?.artifact as MissionEnvelope
  const { run, lease } = newRun(services, stored)
  const batch = new WriteBatch()
  plan.addTo(batch, { checked: true })
  const revision = batch.put(missionRunsCollection, run, { ifAbsent: true })
  batch.put(missionLeasesCollection, lease)
  await services.storage.write(batch)
  plan.stored()
  return { envelope: stored, graph: undefined, run: { record: run, revision }, lease, ledger, ...NOTHING }
}

/** Begins a mission whose envelope, and maybe its graph, are stored. */
async function beginStored(services: MissionServices, envelope: MissionEnvelope): Promise<MissionState> {
  return services.contracts.store.transaction(async (store) => {
    const { artifact: stored } = await store.put(envelope)
    const { mission_id, tenant_id } = stored
    const known = await store.storage.get(missionRunsCollection, mission_id)
    if (known !== undefined) {
      throw colonyError('MISSION_EXISTS', `Mission ${mission_id} was started at ${known.started_at}; resume it.`, {
        details: { mission_id, status: known.status },
      })
    }
    const { run, lease } = newRun(services, stored)
    const revision = await store.storage.put(missionRunsCollection, run)
    await store.storage.put(missionLeasesCollection, lease)
    const graph = await store.forTenant(tenant_id).get(mission_id, 'mission_task_graph')
    return { envelope: stored, graph, run: { record: run, revision }, lease, ...NOTHING }
  })
}

/** Nothing has been done for a mission that begins. */
const NOTHING = { taskRuns: [], artifacts: new Map(), answers: [] } as const

function newRun(services: MissionServices, { mission_id, tenant_id }: MissionEnvelope) {
  const run: MissionRun = {
    mission_id,
    tenant_id,
    status: 'running',
    started_at: readClock(services.clock),
    ended_at: null,
    error: null,
    elapsed_ms: 0,
  }
  return { run, lease: newLease(services, mission_id, 0) }
}
