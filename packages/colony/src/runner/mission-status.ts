import {
  isOfKind,
  type ReviewPacket,
  RootMetadataSchema,
  type StoredArtifact,
  type WritebackProposal,
} from '@minions/colony-contracts'
import { type Static, Type } from 'typebox'
import { dependentsOf } from '../mission/dependents.js'
import { type LiveMission, PLAN, TASK_STATUSES, type TaskStatus } from '../mission/live-mission.js'
import { MISSION_STATUSES, nullableText } from '../state/collections.js'

/** An artifact in any version; it was checked when it was stored. */
export function artifact<T>(description?: string) {
  return Type.Unsafe<T>({ ...RootMetadataSchema, ...(description !== undefined && { description }) })
}

export const TaskProgressSchema = Type.Object({
  task_id: Type.String(),
  role_type: Type.String({ description: 'One of the seven roles, or one that the app has added.' }),
  depends_on: Type.Immutable(Type.Array(Type.String())),
  status: Type.Enum(TASK_STATUSES),
  attempt: Type.Integer({ minimum: 0, description: 'Attempts so far.' }),
  error: nullableText,
  approval: Type.Union([Type.String(), Type.Null()], { description: 'The approval that it waits for.' }),
})

export type TaskProgress = Readonly<Static<typeof TaskProgressSchema>>

export const MissionProgressSchema = Type.Object({
  mission_id: Type.String(),
  tenant_id: Type.String(),
  status: Type.Enum(MISSION_STATUSES),
  active: Type.Boolean({
    description:
      'Whether a process runs it now. One that is `running` and not active was interrupted and can be resumed.',
  }),
  tasks: Type.Immutable(Type.Array(TaskProgressSchema)),
  completed: Type.Integer({ minimum: 0 }),
  total: Type.Integer({ minimum: 0 }),
  tokens_used: Type.Number({ minimum: 0 }),
  elapsed_ms: Type.Number({ minimum: 0 }),
  started_at: Type.String(),
  ended_at: nullableText,
  error: nullableText,
})

export type MissionProgress = Readonly<Static<typeof MissionProgressSchema>>

export const MissionResultSchema = Type.Object({
  ...MissionProgressSchema.properties,
  review: Type.Optional(artifact<ReviewPacket>('The outcome of the last review.')),
  proposals: Type.Immutable(Type.Array(artifact<WritebackProposal>())),
  artifacts: Type.Immutable(
    Type.Array(artifact<StoredArtifact>(), {
      description: 'The artifacts of the tasks, in the order of the graph; after an early end, those that exist.',
    }),
  ),
})

export type MissionResult = Readonly<Static<typeof MissionResultSchema>>

/** The status of a mission of this process, or of another process that is `active` according to its lease. */
export function progressOf(mission: LiveMission, active = !mission.interrupted): MissionProgress {
  const { run, envelope } = mission
  const blocked = blockedTasks(mission)
  const tasks = (mission.graph?.tasks ?? []).map(({ task_id, role_type, depends_on }): TaskProgress => {
    const taskRun = mission.taskRuns.get(task_id)
    return {
      task_id,
      role_type,
      depends_on,
      status: statusOf(mission, task_id, blocked),
      attempt: taskRun?.attempt ?? 0,
      error: taskRun?.error ?? null,
      approval: mission.waiting.get(task_id) ?? null,
    }
  })
  return {
    mission_id: mission.id,
    tenant_id: envelope.tenant_id,
    status: run.status,
    active: active && run.status === 'running',
    tasks,
    completed: tasks.filter(({ status }) => status === 'completed').length,
    total: tasks.length,
    tokens_used: mission.tokens,
    elapsed_ms: run.status === 'running' ? mission.elapsedMs : run.elapsed_ms,
    started_at: run.started_at,
    ended_at: run.ended_at,
    error: run.error,
  }
}

export function resultOf(mission: LiveMission): MissionResult {
  const order = [PLAN, ...(mission.graph?.tasks ?? []).map(({ task_id }) => task_id)]
  const artifacts = order.flatMap((taskId) => mission.artifacts.get(taskId) ?? [])
  const review = artifacts.filter((each) => isOfKind(each, 'review_packet')).at(-1)
  return {
    ...progressOf(mission),
    ...(review && { review }),
    proposals: artifacts.filter((each) => isOfKind(each, 'writeback_proposal')),
    artifacts,
  }
}

function statusOf(mission: LiveMission, taskId: string, blocked: ReadonlySet<string>): TaskStatus {
  const known = mission.taskRuns.get(taskId)?.status
  if (known === 'completed') return known
  if (mission.waiting.has(taskId)) return 'waiting'
  if (mission.running.has(taskId)) return 'running'
  if (known === 'failed') return known
  if (blocked.has(taskId)) return 'blocked'
  return mission.run.status === 'running' || mission.run.status === 'paused' ? 'pending' : 'cancelled'
}

function blockedTasks({ graph, taskRuns, running }: LiveMission): Set<string> {
  const failed = [...taskRuns.values()].filter(({ status, task_id }) => status === 'failed' && !running.has(task_id))
  return dependentsOf(
    graph?.tasks ?? [],
    failed.map(({ task_id }) => task_id),
  )
}
