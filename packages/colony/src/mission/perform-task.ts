import type { StoredArtifact, TaskRoleType } from '@minions/colony-contracts'
import { isMinionsError, MinionsError, readClock, type StoreTransaction } from '@minions/core'
import type { SkillContext } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import { completeDrafts } from '../roles/draft.js'
import type { RoleContext, RoleInput } from '../roles/role.js'
import {
  type ArtifactRef,
  type MissionRun,
  missionRunsCollection,
  type TaskRun,
  taskRunsCollection,
} from '../state/collections.js'
import { type LiveMission, PLAN } from './live-mission.js'
import { linkProblems, outputProblems } from './output-problems.js'
import type { MissionServices } from './services.js'
import { TaskContext } from './task-context.js'
import { artifactsBefore, TaskView } from './task-view.js'

/** Which attempt at which task. */
export interface TaskAttempt {
  readonly taskId: string
  readonly role: TaskRoleType
  readonly attempt: number
}

/** What a role made, and how to tell what it was told. */
export interface RoleWork {
  readonly artifacts: readonly StoredArtifact[]
  readonly at: string
  readonly graphRevision: number
}

type Handler = (input: RoleInput, context: RoleContext) => unknown

/** How a role is let work: now, or once more as it did before. */
export interface WorkOptions {
  readonly signal: AbortSignal
  readonly log: RoleContext['log']
  /** The time that the role is told. */
  readonly now: string
  readonly replay: boolean
  /** Which plan the role sees. */
  readonly graphRevision: number
  readonly createdAt: (name: string, id: string) => string
}

/** Lets a role do a task and checks what it returns. Throws `ROLE_MISSING` or `ROLE_OUTPUT_INVALID`. */
export async function work(
  services: MissionServices,
  mission: LiveMission,
  { taskId, role, attempt }: TaskAttempt,
  options: WorkOptions,
): Promise<RoleWork> {
  const handler = Object.hasOwn(services.roles, role) ? (services.roles[role] as Handler | undefined) : undefined
  if (handler === undefined) {
    throw colonyError('ROLE_MISSING', `Task "${taskId}" needs the role ${role}, for which there is no handler.`, {
      details: { role, task_id: taskId },
    })
  }
  const graph = taskId === PLAN ? undefined : mission.graphAt(options.graphRevision)
  const task = graph && mission.taskIn(graph, taskId)
  const complete = (returned: unknown) =>
    completeDrafts(returned, {
      envelope: mission.envelope,
      role,
      taskId: task?.task_id,
      createdAt: options.createdAt,
      traces: context.traces,
    })
  const place = { envelope: mission.envelope, task, graph }
  const problems = (returned: unknown) => {
    const artifacts = complete(returned)
    const errors = outputProblems(services, place, artifacts)
    return errors.length > 0 ? errors : linkProblems(services, place, artifactsBefore(mission, task, graph), artifacts)
  }
  const context = new TaskContext(services, mission, { taskId, task, attempt, problems, ...options })
  const returned = await handler(new TaskView(mission, task, graph) as unknown as RoleInput, context)
  const artifacts = complete(returned)
  const errors = outputProblems(services, place, artifacts)
  const [first] = errors
  if (first !== undefined) {
    const message = `The ${role} of task "${taskId}" returned an artifact that breaks its contract: ${first.pointer} ${first.message}.`
    throw colonyError('ROLE_OUTPUT_INVALID', message, { details: { role, task_id: taskId, errors } })
  }
  return { artifacts, at: options.now, graphRevision: options.graphRevision }
}

/** Performs a task inside its execution: what the role made is committed with the execution and its lease, or not at all. */
export async function performTask(
  services: MissionServices,
  mission: LiveMission,
  attempt: TaskAttempt,
  context: SkillContext,
): Promise<void> {
  const { storage, clock } = services
  const { taskId } = attempt
  const known = await storage.get(taskRunsCollection, [mission.id, taskId])
  // Another process was quicker; its artifacts count.
  if (known?.status === 'completed') return
  if (mission.timeLeft <= 0) throw outOfTime(mission)
  const done = await work(services, mission, attempt, {
    signal: context.signal,
    log: context.log,
    now: readClock(clock),
    replay: false,
    graphRevision: mission.graphRevision,
    createdAt: () => readClock(clock),
  })
  context.onCommit((tx) => {
    const commit = (within: StoreTransaction) =>
      commitTask(services, mission, attempt, { ...done, tx: within, context })
    return tx === undefined ? storage.transaction(commit) : commit(tx)
  })
}

interface Commit extends RoleWork {
  readonly tx: StoreTransaction
  readonly context: SkillContext
}

async function commitTask(
  services: MissionServices,
  mission: LiveMission,
  { taskId, attempt }: TaskAttempt,
  { tx, artifacts, at, graphRevision, context }: Commit,
): Promise<void> {
  const { mission_id, tenant_id } = mission.envelope
  const run = await tx.get(missionRunsCollection, mission_id)
  if (run?.status !== 'running') throw ended(mission, run)
  if (mission.timeLeft <= 0) throw outOfTime(mission)
  const known = await tx.get(taskRunsCollection, [mission_id, taskId])
  if (known?.status === 'completed') return
  const stored = await putArtifacts(services, tx, artifacts)
  const taskRun: TaskRun = {
    mission_id,
    task_id: taskId,
    tenant_id,
    status: 'completed',
    attempt,
    at,
    graph_revision: graphRevision,
    elapsed_ms: mission.elapsedMs,
    agent_id: context.agentId,
    artifacts: stored.map(({ ref }) => ref),
    error: null,
  }
  await tx.put(taskRunsCollection, taskRun)
  tx.afterCommit(() => {
    mission.taskRuns.set(taskId, taskRun)
    mission.artifacts.set(
      taskId,
      stored.map(({ artifact }) => artifact),
    )
  })
}

/** Up to so many artifacts are cheaper one by one than by reading the whole mission first. */
const ONE_BY_ONE = 4

async function putArtifacts(
  { contracts }: MissionServices,
  tx: StoreTransaction,
  artifacts: readonly StoredArtifact[],
) {
  const store = contracts.store.with(tx)
  try {
    const results = []
    if (artifacts.length <= ONE_BY_ONE) for (const artifact of artifacts) results.push(await store.put(artifact))
    else results.push(...(await store.putMany(artifacts)))
    return results.map(({ artifact, revision }) => {
      const ref: ArtifactRef = { schema_name: artifact.schema_name, id: contracts.registry.idOf(artifact) }
      return { artifact, ref: revision === undefined ? ref : { ...ref, revision } }
    })
  } catch (cause) {
    // Trying again would not help, unlike with a store that is busy; the execution fails with this.
    if (!isMinionsError(cause) || !REFUSALS.has(cause.code)) throw cause
    throw new MinionsError('VALIDATION_FAILED', messageOf(cause), { cause, details: { ...cause.details } })
  }
}

const REFUSALS = new Set(['INVALID_ARTIFACT', 'LINKAGE_VIOLATION', 'KIND_NOT_STORED'])

/** Somebody else ended the mission, or its process is no longer the one that counts. */
function ended(mission: LiveMission, run: MissionRun | undefined): Error {
  if (run && run.status !== 'running') mission.stop({ status: run.status, error: run.error })
  const what = `Mission ${mission.id} is ${run?.status ?? 'gone'}`
  return colonyError('MISSION_ENDED', `${what}; nothing more is stored for it.`)
}

function outOfTime(mission: LiveMission): Error {
  const message = `The mission has used up its ${mission.envelope.time_budget_ms} ms.`
  mission.stop({ status: 'budget_exceeded', error: message })
  return colonyError('BUDGET_EXCEEDED', message)
}
