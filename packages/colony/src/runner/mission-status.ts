import type { ReviewPacket, StoredArtifact, TaskRoleType, WritebackProposal } from '@minions/colony-contracts'
import { dependentsOf } from '../mission/dependents.js'
import { type LiveMission, PLAN, type TaskStatus } from '../mission/live-mission.js'
import type { MissionStatus } from '../state/collections.js'

/** How a task stands. */
export interface TaskProgress {
  readonly task_id: string
  readonly role_type: TaskRoleType
  readonly depends_on: readonly string[]
  readonly status: TaskStatus
  /** Attempts so far. */
  readonly attempt: number
  readonly error: string | null
}

/** How a mission stands. */
export interface MissionProgress {
  readonly mission_id: string
  readonly tenant_id: string
  readonly status: MissionStatus
  /** Whether a process runs it now. One that is `running` and not active was interrupted and can be resumed. */
  readonly active: boolean
  readonly tasks: readonly TaskProgress[]
  readonly completed: number
  readonly total: number
  readonly tokens_used: number
  readonly elapsed_ms: number
  readonly started_at: string
  readonly ended_at: string | null
  readonly error: string | null
}

/** How a mission ended, with what came out of it. */
export interface MissionResult extends MissionProgress {
  /** The outcome of the last review. */
  readonly review: ReviewPacket | undefined
  readonly proposals: readonly WritebackProposal[]
  /** What the tasks made, in the order of the graph; after an early end as far as it came. */
  readonly artifacts: readonly StoredArtifact[]
}

/** How a mission of this process stands, or one of another process that is `active` as far as its lease says. */
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
  const ofKind = <T>(name: string) => artifacts.filter(({ schema_name }) => schema_name === name) as unknown as T[]
  return {
    ...progressOf(mission),
    review: ofKind<ReviewPacket>('review_packet').at(-1),
    proposals: ofKind<WritebackProposal>('writeback_proposal'),
    artifacts,
  }
}

function statusOf(mission: LiveMission, taskId: string, blocked: ReadonlySet<string>): TaskStatus {
  const known = mission.taskRuns.get(taskId)?.status
  if (known === 'completed') return known
  if (mission.running.has(taskId)) return 'running'
  if (known === 'failed') return known
  if (blocked.has(taskId)) return 'blocked'
  return mission.run.status === 'running' ? 'pending' : 'cancelled'
}

function blockedTasks({ graph, taskRuns, running }: LiveMission): Set<string> {
  const failed = [...taskRuns.values()].filter(({ status, task_id }) => status === 'failed' && !running.has(task_id))
  return dependentsOf(
    graph?.tasks ?? [],
    failed.map(({ task_id }) => task_id),
  )
}
