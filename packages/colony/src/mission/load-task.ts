import type { StoredArtifact, TenantReader } from '@minions/colony-contracts'
import { type ArtifactRef, answersCollection, type TaskRun, taskRunsCollection } from '../state/collections.js'
import type { LiveMission } from './live-mission.js'
import type { MissionServices } from './services.js'

/** Loads what another process stored for a task: its run, its artifacts and the recorded answers. */
export async function loadTask(
  services: MissionServices,
  mission: LiveMission,
  taskId: string,
): Promise<TaskRun | undefined> {
  const { storage, contracts } = services
  const { mission_id, tenant_id } = mission.envelope
  for await (const { record } of storage.iterate(answersCollection, { where: { mission_id, task_id: taskId } })) {
    mission.keep(record)
  }
  const found = await storage.getRevised(taskRunsCollection, [mission_id, taskId])
  if (found === undefined) return undefined
  const reader = contracts.store.forTenant(tenant_id)
  const artifacts = await artifactsOf(found.record, reader, ({ schema_name, id }) =>
    reader.get(mission_id, schema_name, id),
  )
  mission.keepTaskRun(found)
  if (found.record.status === 'completed') mission.artifacts.set(taskId, artifacts)
  return found.record
}

/** The artifacts of a task's run, in the order in which its role returned them; a graph is found by its revision. */
export async function artifactsOf(
  { mission_id, artifacts }: TaskRun,
  reader: TenantReader,
  find: (ref: ArtifactRef) => StoredArtifact | undefined | Promise<StoredArtifact | undefined>,
): Promise<StoredArtifact[]> {
  const found: StoredArtifact[] = []
  for (const ref of artifacts) {
    const { revision } = ref
    const artifact = await (revision === undefined ? find(ref) : reader.get(mission_id, 'mission_task_graph', revision))
    if (artifact !== undefined) found.push(artifact)
  }
  return found
}
