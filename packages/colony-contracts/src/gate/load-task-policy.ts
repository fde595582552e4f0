import { isId, type StoreReader, type Where } from '@minions/core'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import type { TaskPolicy } from '../policy/task-policy.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { MissionTask } from '../schemas/mission-task-graph.js'
import { collectionOf, missionsCollection, type StoredName, tasksCollection } from '../store/collections.js'
import type { ColonyStore } from '../store/colony-store.js'
import { EVERYTHING } from '../store/mission-state.js'
import type { TaskRef } from './task-ref.js'

/** The artifacts that decide on a task; without a task when the current graph does not have it. */
export type LoadedPolicy = Omit<TaskPolicy, 'task' | 'at' | 'config'> & { readonly task: MissionTask | undefined }

/** Loads what decides on a question; `undefined` when it cannot be told which mission it is about. */
export async function loadTaskPolicy(
  store: ColonyStore,
  ref: TaskRef,
  { type, subject }: { readonly type: string; readonly subject: string },
): Promise<LoadedPolicy | undefined> {
  const { storage } = store
  const missionId = await missionOf(storage, ref)
  const mission = missionId === undefined ? undefined : await storage.get(missionsCollection, missionId)
  if (!mission || (ref.tenant_id !== undefined && ref.tenant_id !== mission.tenant_id)) return undefined

  const { mission_id, tenant_id } = mission
  const list = async <T>(name: StoredName, where: Where) =>
    (await storage.find(collectionOf(name), { where: { mission_id, ...where }, limit: EVERYTHING })).items as T[]
  const graph = await store.forTenant(tenant_id).get(mission_id, 'mission_task_graph')
  const { task_id } = ref
  return {
    envelope: mission as unknown as MissionEnvelope,
    task: graph?.tasks.find((task) => task.task_id === task_id),
    packages: await list('prompt_package', { task_id }),
    passes: await list('librarian_pass', { task_id }),
    // The gate's own records are no grounds for its answers, and there may be many.
    decisions: await list('policy_decision', { decision_type: type, subject, producer: { ne: POLICY_GATE_PRODUCER } }),
  }
}

async function missionOf(
  storage: StoreReader,
  { mission_id, task_id, tenant_id }: TaskRef,
): Promise<string | undefined> {
  if (!isId(task_id)) return undefined
  if (mission_id !== undefined) return isId(mission_id) ? mission_id : undefined
  const where = { task_id, ...(tenant_id !== undefined && { tenant_id }) }
  const { items } = await storage.find(tasksCollection, { where, limit: 2 })
  return items.length === 1 ? items[0]?.mission_id : undefined
}
