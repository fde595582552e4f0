import type { MissionTask } from '@minions/colony-contracts'

/** The tasks that depend, directly or indirectly, on one of the given tasks, excluding the given ones. */
export function dependentsOf(
  tasks: readonly Pick<MissionTask, 'task_id' | 'depends_on'>[],
  ids: readonly string[],
): Set<string> {
  const found = new Set<string>()
  if (ids.length === 0) return found
  const direct = new Map<string, string[]>()
  for (const { task_id, depends_on } of tasks) {
    for (const id of depends_on) {
      const dependents = direct.get(id)
      if (dependents) dependents.push(task_id)
      else direct.set(id, [task_id])
    }
  }
  const open = [...ids]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const dependent of direct.get(id) ?? []) {
      if (found.has(dependent)) continue
      found.add(dependent)
      open.push(dependent)
    }
  }
  return found
}
