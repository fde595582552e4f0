import type { StoredArtifact } from '@minions/colony-contracts'
import { answersCollection, type TaskRun, taskRunsCollection } from '../state/collections.js'
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
  const artifacts: StoredArtifact[] = []
  for (const { schema_name, id, revision } of found.record.artifacts) {
    const artifact =
      revision === undefined
        ? await reader.get(mission_id, schema_name, id)
        : await reader.get(mission_id, 'mission_task_graph', revision)
    if (artifact !== undefined) artifacts.push(artifact)
  }
  mission.keepTaskRun(found)
  if (found.record.status === 'completed') mission.artifacts.set(taskId, artifacts)
  return found.record
}
