import type { MissionTask } from '@minions/colony-contracts'
import { dependencyOrder } from '@minions/core/coordination'
import { getOrInsert } from '@minions/core/json'

/** The tasks that depend, directly or indirectly, on one of the given tasks, excluding the given ones. */
export function dependentsOf(
  tasks: readonly Pick<MissionTask, 'task_id' | 'depends_on'>[],
  ids: readonly string[],
): Set<string> {
  if (ids.length === 0) return new Set()
  const direct = new Map<string, string[]>()
  for (const { task_id, depends_on } of tasks) {
    for (const id of depends_on) {
      getOrInsert(direct, id, () => []).push(task_id)
    }
  }
  const { order = [] } = dependencyOrder(ids, (id) => direct.get(id) ?? [])
  const given = new Set(ids)
  return new Set(order.filter((id) => !given.has(id)))
}
