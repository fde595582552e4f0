import type { StoredArtifact } from '@minions/colony-contracts'
import { readClock } from '@minions/core/plugin'
import { describeIssues } from '@minions/core/schema'
import { NonRetryableError, type SkillContext } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import { completeDrafts } from '../roles/draft.js'
import type { RoleContext, RoleInput } from '../roles/role.js'
import { commitTask, timeIsUp, writeAlone } from './commit-task.js'
import { type LiveMission, PLAN } from './live-mission.js'
import { linkProblems, outputProblems } from './output-problems.js'
import type { MissionServices } from './services.js'
import { TaskContext } from './task-context.js'
import { artifactsBefore, TaskView } from './task-view.js'

export interface TaskAttempt {
  readonly taskId: string
  readonly role: string
  readonly attempt: number
}

/** The artifacts of a role, and access to its recorded answers. */
export interface RoleWork {
  readonly artifacts: readonly StoredArtifact[]
  readonly at: string
  readonly graphRevision: number
}

type Handler = (input: RoleInput, context: RoleContext) => unknown

/** How a role runs: live, or as a replay. */
export interface WorkOptions extends Pick<RoleContext, 'now'> {
  /** Read only when a role does: a signal costs more to make than the rest of its context. */
  readonly context: Pick<RoleContext, 'signal' | 'log'>
  readonly replay: boolean
  readonly graphRevision: number
  readonly createdAt: (name: string, id: string) => string
}

/** Maximum number of problems in a message; `details.errors` has all. */
const MOST_TOLD = 10

/** The role stopped at a call that a person must approve. */
class Suspended extends Error {}

/** Has a role perform a task and checks what it returns. Throws `ROLE_MISSING` or `ROLE_OUTPUT_INVALID`. */
export async function work(
  services: MissionServices,
  mission: LiveMission,
  { taskId, role, attempt }: TaskAttempt,
  options: WorkOptions,
): Promise<RoleWork> {
  const handler = services.roles.handler(role) as Handler | undefined
  if (handler === undefined) {
    const message = `Task "${taskId}" needs the role ${role}, for which there is no handler; add one to the \`roles\` of the colony.`
    throw colonyError('ROLE_MISSING', message, { details: { role, task_id: taskId } })
  }
  const graph = taskId === PLAN ? undefined : mission.graphAt(options.graphRevision)
  const task = graph && mission.taskIn(graph, taskId)
  const complete = (returned: unknown) =>
    completeDrafts(returned, {
      envelope: mission.envelope,
      role,
      contract: services.roles.contract(role),
      taskId: task?.task_id,
      createdAt: options.createdAt,
      traces: context.traces,
    })
  const origin = { envelope: mission.envelope, task, graph }
  const problems = (returned: unknown) => {
    const artifacts = complete(returned)
    const errors = outputProblems(services, origin, artifacts)
    return errors.length > 0 ? errors : linkProblems(services, origin, artifactsBefore(mission, task, graph), artifacts)
  }
  const context = new TaskContext(services, mission, { taskId, task, attempt, problems, ...options })
  let returned: unknown
  try {
    const reads = services.roles.added.includes(role) ? services.roles.contract(role).reads : undefined
    returned = await handler(new TaskView(mission, task, graph, reads) as RoleInput, context)
  } finally {
    // However the role reacted to being stopped, it continues from here.
    if (context.suspendedBy !== undefined) mission.suspended.set(taskId, context.suspendedBy)
  }
  if (context.suspendedBy !== undefined) throw new Suspended()
  const artifacts = complete(returned)
  const errors = outputProblems(services, origin, artifacts)
  if (errors.length > 0) {
    const why = describeIssues(errors, 'it', MOST_TOLD)
    const message = `The ${role} of task "${taskId}" returned an artifact that breaks its contract: ${why}.`
    throw colonyError('ROLE_OUTPUT_INVALID', message, { details: { role, task_id: taskId, errors } })
  }
  return { artifacts, at: options.now, graphRevision: options.graphRevision }
}

/**
 * Performs a task inside its execution: its artifacts are committed together with the execution and its lease, or not
 * at all. Resolves to the approval that the task must wait for, if there is one.
 */
export async function performTask(
  services: MissionServices,
  mission: LiveMission,
  attempt: TaskAttempt,
  context: SkillContext,
): Promise<string | undefined> {
  const { storage } = services
  mission.attempts.set(attempt.taskId, attempt.attempt)
  // Another process got there first; its artifacts count.
  if (mission.isDone(attempt.taskId)) return undefined
  if (mission.timeLeft <= 0) throw timeIsUp(mission)
  mission.suspended.delete(attempt.taskId)
  const done = await perform(services, mission, attempt, context)
  if (done === undefined) return mission.suspended.get(attempt.taskId)
  const commit = commitTask(services, mission, attempt, done, context.agentId)
  context.onCommit((batch, tries) => (batch ? commit(batch, tries) : writeAlone(storage, commit)))
  return undefined
}

async function perform(
  services: MissionServices,
  mission: LiveMission,
  attempt: TaskAttempt,
  context: SkillContext,
): Promise<RoleWork | undefined> {
  const { clock } = services
  const options = {
    context,
    now: readClock(clock),
    replay: false,
    graphRevision: mission.graphRevision,
    createdAt: () => readClock(clock),
  }
  try {
    return await work(services, mission, attempt, options)
  } catch (error) {
    if (mission.suspended.has(attempt.taskId)) return undefined
    // A mission that is ending, because a budget is used up for example, makes no more attempts.
    throw mission.stopped ? new NonRetryableError(messageOf(error), { cause: error }) : error
  }
}
