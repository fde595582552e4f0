import { isId } from '@minions/core'
import type { Revised, StoreReader } from '@minions/core/storage'
import { POLICY_GATE_PRODUCER } from '../policy/latest-decision.js'
import type { TaskPolicy } from '../policy/task-policy.js'
import type { StoredArtifact } from '../schemas/artifact.js'
import { collectionOf, missionsCollection, taskGraphsCollection, tasksCollection } from '../store/collections.js'
import { EVERYTHING } from '../store/mission-state.js'
import type { TaskRecord } from '../store/records.js'
import type { TaskRef } from './task-ref.js'

/** Everything that decides on a task, with the revisions that change when any of it does. */
export interface TaskFacts extends Pick<TaskPolicy, 'packages' | 'passes'> {
  readonly mission: Revised<StoredArtifact<'mission_envelope'>>
  /** Undefined when no graph of the mission has it. */
  readonly task: Revised<TaskRecord> | undefined
  readonly isCurrent: boolean
}

/** Selects the decisions for a request. */
export interface DecisionSubject {
  readonly type: string
  readonly subject: string
}

/** Loads everything that decides on a task; `undefined` when its mission cannot be determined. */
export async function loadTaskFacts(storage: StoreReader, ref: TaskRef): Promise<TaskFacts | undefined> {
  const missionId = await missionOf(storage, ref)
  const mission = missionId === undefined ? undefined : await storage.getRevised(missionsCollection, missionId)
  if (!mission || (ref.tenant_id !== undefined && ref.tenant_id !== mission.record.tenant_id)) return undefined
  const { mission_id } = mission.record
  const { task_id } = ref
  const task = await storage.getRevised(tasksCollection, [mission_id, task_id])
  const query = { where: { mission_id, task_id }, limit: EVERYTHING }
  return {
    mission,
    task,
    // Revisions count from 1, so the latest equals their number.
    isCurrent: task?.record.graph_revision === (await storage.count(taskGraphsCollection, { where: { mission_id } })),
    packages: (await storage.find(collectionOf('prompt_package'), query)).items,
    passes: (await storage.find(collectionOf('librarian_pass'), query)).items,
  }
}

/** The decisions on a subject, without the gate's own records, which do not justify its verdicts and may be many. */
export async function loadDecisions(
  storage: StoreReader,
  missionId: string,
  { type, subject }: DecisionSubject,
): Promise<TaskPolicy['decisions']> {
  const producer = { ne: POLICY_GATE_PRODUCER }
  const where = { mission_id: missionId, decision_type: type, subject, producer }
  return (await storage.find(collectionOf('policy_decision'), { where, limit: EVERYTHING })).items
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
