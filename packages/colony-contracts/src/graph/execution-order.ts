import { contractsError } from '../errors.js'
import type { TaskGraphLike } from './task-links.js'
import { checkTaskGraph } from './validate-task-graph.js'

/**
 * The task ids in waves: a task is in the first wave in which everything it depends on has finished, so the tasks of
 * one wave can run together. Within a wave the order is the graph's. Throws `INVALID_TASK_GRAPH`.
 */
export function executionOrder(graph: TaskGraphLike): string[][] {
  const { links, errors } = checkTaskGraph(graph)
  if (errors.length > 0) {
    const [first] = errors
    throw contractsError(
      'INVALID_TASK_GRAPH',
      `The task graph has no execution order; ${errors.length} problem(s), first ${first?.pointer}: ${first?.message}.`,
      { details: { errors } },
    )
  }
  const waiting = links.dependencies.map((list) => list.length)
  const dependents: number[][] = links.ids.map(() => [])
  links.dependencies.forEach((list, task) => {
    for (const dependency of list) dependents[dependency]?.push(task)
  })
  const waves: string[][] = []
  let ready = [...waiting.keys()].filter((task) => waiting[task] === 0)
  while (ready.length > 0) {
    waves.push(ready.map((task) => links.ids[task] as string))
    ready = ready
      .flatMap((task) => dependents[task] ?? [])
      .filter((task) => {
        waiting[task] = (waiting[task] as number) - 1
        return waiting[task] === 0
      })
      .sort((a, b) => a - b)
  }
  return waves
}
