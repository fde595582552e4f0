import { createHash } from 'node:crypto'
import { MinionsError } from '@minions/core'
import { cancelOnAbort } from '@minions/core/coordination'
import { JOB_LIMITS } from '@minions/skills-runtime/jobs'
import { colonyError } from '../errors.js'
import { type LiveMission, outOfTokens } from './live-mission.js'
import { loadTask } from './load-task.js'
import { skillName, type TaskParameters } from './role-skills.js'
import type { MissionServices } from './services.js'

/** Default priority of a task, and the range of job priorities. */
const DEFAULT_PRIORITY = 5
const LEAST_URGENT = 1000

/**
 * Has any worker on the store perform a task, and resolves when it is completed. The id of the job is derived from the
 * attempt, so a process that takes over the mission waits for the same job. Throws the error of the task.
 */
export async function runOnWorkers(
  services: MissionServices,
  mission: LiveMission,
  parameters: TaskParameters,
  { maxRetries, priority = DEFAULT_PRIORITY }: { readonly maxRetries: number; readonly priority?: number | undefined },
): Promise<void> {
  const { jobs } = services
  if (jobs === undefined) throw workersMissing()
  const { mission_id, task_id, role_type } = parameters
  const { signal, envelope } = mission
  const id = jobIdOf(parameters)
  await jobs.submit({
    id,
    skill: skillName(role_type),
    params: { ...parameters },
    tenant: envelope.tenant_id,
    priority: Math.min(LEAST_URGENT, Math.max(1, Math.round(priority) || DEFAULT_PRIORITY)),
    maxRetries,
    maxDeliveries: JOB_LIMITS.deliveries + maxRetries,
    metadata: { mission_id, task_id, role_type },
  })
  const cancel = () => void jobs.cancel(id).catch(() => undefined)
  const { status, error } = await cancelOnAbort(signal, cancel, () => jobs.wait(id))
  await loadTask(services, mission, task_id)
  if (status === 'completed') return
  if (mission.overspent) mission.stop(outOfTokens(mission))
  if (status === 'cancelled') throw new MinionsError('CANCELLED', `The job of task "${task_id}" was cancelled.`)
  throw new MinionsError(error?.code ?? 'TASK_FAILED', error?.message ?? 'unknown')
}

export function workersMissing() {
  return colonyError('WORKERS_MISSING', 'Running tasks on workers needs the plugin `jobs()`; add it to the app.')
}

/** Task ids may contain characters that job ids may not, and be longer. */
function jobIdOf({ mission_id, task_id, attempt }: TaskParameters): string {
  return `${mission_id}:${createHash('sha256').update(task_id).digest('hex').slice(0, 32)}:${attempt}`
}
