import type { Task } from '../../data/records.ts'
import type { GraphEdge } from '../../parts/graph/layout.ts'

/** The dependencies of tasks without those that follow from others: what a task waits for anyway is not drawn again. */
export function essentialEdges(tasks: readonly Pick<Task, 'task_id' | 'depends_on'>[]): GraphEdge[] {
  const dependencies = new Map(tasks.map(({ task_id, depends_on }) => [task_id, depends_on]))
  const known = new Map<string, ReadonlySet<string>>()
  const ancestorsOf = (id: string): ReadonlySet<string> => {
    const found = known.get(id)
    if (found) return found
    const all = new Set<string>()
    // Before its ancestors are known, so that a damaged graph with a cycle ends too.
    known.set(id, all)
    for (const direct of dependencies.get(id) ?? []) {
      all.add(direct)
      for (const further of ancestorsOf(direct)) all.add(further)
    }
    return all
  }
  return tasks.flatMap(({ task_id, depends_on }) =>
    depends_on
      .filter((from) => !depends_on.some((other) => other !== from && ancestorsOf(other).has(from)))
      .map((from) => ({ from, to: task_id })),
  )
}
