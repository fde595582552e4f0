import { executionOrder } from '@minions/colony-contracts'
import { guarded } from '@minions/core/plugin'
import type { TaskStatus } from '../mission/live-mission.js'
import type { MissionProgress, TaskProgress } from '../runner/mission-status.js'

const SIGNS: Readonly<Record<TaskStatus, string>> = {
  pending: '·',
  running: '▶',
  waiting: '?',
  completed: '✔',
  failed: '✘',
  blocked: '■',
  cancelled: '○',
}

/** The tasks of a mission in waves, each with its state and what it waits for, one task per line. */
export const missionText = guarded('missionText', missionTextUnchecked, { checksInside: true })

function missionTextUnchecked(progress: MissionProgress): string {
  const { mission_id, active, tasks, completed, total, error } = progress
  const status = progress.status === 'running' && !active ? 'interrupted' : progress.status
  const byId = new Map(tasks.map((task) => [task.task_id, task]))
  const width = Math.max(0, ...tasks.map(({ task_id }) => task_id.length))
  const lines = [`mission ${mission_id}: ${status}, ${completed} of ${total} tasks`]
  for (const [index, wave] of executionOrder({
    tasks: tasks.map(({ task_id, depends_on }) => ({ task_id, depends_on })),
  }).entries()) {
    lines.push(`${index + 1}.`)
    for (const id of wave) lines.push(`  ${line(byId.get(id) as TaskProgress, width)}`)
  }
  if (error !== null) lines.push(`error: ${oneLine(error)}`)
  return `${lines.join('\n')}\n`
}

function line({ task_id, role_type, status, depends_on, error, approval }: TaskProgress, width: number): string {
  const after = depends_on.length === 0 ? '' : ` ← ${depends_on.join(', ')}`
  const why = error === null ? '' : ` (${oneLine(error)})`
  const wait = approval === null ? '' : ` for approval ${approval}`
  return `${SIGNS[status]} ${task_id.padEnd(width)}  ${role_type} ${status}${wait}${after}${why}`
}

/** Errors come from anywhere; control characters in one must not reach a terminal. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 200)
}
