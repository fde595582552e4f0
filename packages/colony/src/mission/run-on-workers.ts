import { createHash } from 'node:crypto'
import { MinionsError } from '@minions/core'
import { colonyError } from '../errors.js'
import { type LiveMission, outOfTokens } from './live-mission.js'
import { loadTask } from './load-task.js'
import { skillName, type TaskParameters } from './role-skills.js'
import type { MissionServices } from './services.js'

/** Priority of a task that says nothing, and the range that jobs have. */
const DEFAULT_PRIORITY = 5
const LEAST_URGENT = 1000

/** Workers that may die of a task that is not retried. */
const DEATHS = 5

/**
 * Lets any worker on the store do a task, and resolves when it is done. The id of the job follows from the attempt, so a
 * process that takes the mission over waits for the same job. Throws what the task failed with.
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
    maxDeliveries: DEATHS + maxRetries,
    metadata: { mission_id, task_id, role_type },
  })
  const cancel = () => void jobs.cancel(id).catch(() => undefined)
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const { status, error } = await jobs.wait(id)
    await loadTask(services, mission, task_id)
    if (status === 'completed') return
    if (mission.overspent) mission.stop(outOfTokens(mission))
    if (status === 'cancelled') throw new MinionsError('CANCELLED', `The job of task "${task_id}" was cancelled.`)
    throw new MinionsError(error?.code ?? 'TASK_FAILED', error?.message ?? 'unknown')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export function workersMissing() {
  return colonyError('WORKERS_MISSING', 'Tasks can only go to workers in an app with the plugin `jobs()`; add it.')
}

/** Ids of tasks may hold what those of jobs may not, and be longer. */
function jobIdOf({ mission_id, task_id, attempt }: TaskParameters): string {
  return `${mission_id}:${createHash('sha256').update(task_id).digest('hex').slice(0, 32)}:${attempt}`
}
