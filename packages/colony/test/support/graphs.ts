import type { MissionTask } from '@minions/colony-contracts'
import type { Roles } from '../../src/index.ts'

/** A task with nothing but its name and what it waits for. */
export function task(task_id: string, depends_on: readonly string[] = [], more: object = {}): MissionTask {
  return {
    task_id,
    role_type: 'worker',
    objective: `Do ${task_id}.`,
    depends_on: [...depends_on],
    required_capabilities: [],
    allowed_tools: [],
    required_data_scopes: [],
    success_criteria: [],
    ...more,
  }
}

/** Roles for a given list of tasks, all of them for workers that do as they are told. */
export function workersFor(tasks: readonly MissionTask[], worker: NonNullable<Roles['worker']> = done): Roles {
  return { planner: () => ({ tasks: [...tasks] }), worker }
}

export const done: NonNullable<Roles['worker']> = ({ task: { task_id } }) => ({ output_text: task_id, confidence: 1 })
