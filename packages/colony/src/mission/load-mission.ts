import type { ColonyContracts, StoredArtifact } from '@minions/colony-contracts'
import type { Revised, StoreReader } from '@minions/core/storage'
import {
  type Answer,
  answersCollection,
  missionLeasesCollection,
  missionRunsCollection,
  type TaskRun,
  taskRunsCollection,
} from '../state/collections.js'
import type { MissionState } from './live-mission.js'
import { artifactsOf } from './load-task.js'

interface MissionStores {
  readonly storage: StoreReader
  readonly contracts: ColonyContracts
}

/** The envelope and the state of a mission; `undefined` if it was never run, or belongs to another tenant. */
export async function findMission(
  { storage, contracts }: MissionStores,
  tenantId: string,
  missionId: string,
): Promise<Pick<MissionState, 'envelope' | 'run'> | undefined> {
  const envelope = await contracts.store.forTenant(tenantId).get(missionId, 'mission_envelope')
  const run = envelope && (await storage.getRevised(missionRunsCollection, missionId))
  return run && { envelope, run }
}

/** Reads the stored state of a mission within a tenant; `undefined` as for `findMission`. */
export async function loadMission(
  stores: MissionStores,
  tenantId: string,
  missionId: string,
): Promise<MissionState | undefined> {
  const found = await findMission(stores, tenantId, missionId)
  if (found === undefined) return undefined
  const { storage, contracts } = stores
  const reader = contracts.store.forTenant(tenantId)
  const where = { mission_id: missionId }
  const lease = await storage.get(missionLeasesCollection, missionId)
  const taskRuns: Revised<TaskRun>[] = []
  for await (const taskRun of storage.iterate(taskRunsCollection, { where, limit: 1000 })) taskRuns.push(taskRun)
  const answers: Answer[] = []
  for await (const { record } of storage.iterate(answersCollection, { where, limit: 1000 })) answers.push(record)
  const graph = await reader.get(missionId, 'mission_task_graph')
  // A few queries, however many artifacts there are.
  const all = new Map<string, StoredArtifact>()
  for (const artifact of await reader.mission(missionId)) {
    if (artifact.schema_name === 'mission_task_graph') continue
    all.set(`${artifact.schema_name} ${contracts.registry.idOf(artifact)}`, artifact)
  }
  const artifacts = new Map<string, readonly StoredArtifact[]>()
  for (const { record } of taskRuns) {
    const ofTask = await artifactsOf(record, reader, ({ schema_name, id }) => all.get(`${schema_name} ${id}`))
    artifacts.set(record.task_id, ofTask)
  }
  return { ...found, lease, graph, taskRuns, artifacts, answers }
}
