import { topologicalOrder } from '@minions/core/coordination'
import { guarded } from '@minions/core/plugin'
import { describeIssues } from '@minions/core/schema'
import { contractsError } from '../errors.js'
import type { TaskGraphLike } from './task-links.js'
import { checkTaskGraph } from './validate-task-graph.js'

/**
 * The task ids in waves: a task is in the first wave in which all its dependencies have finished, so the tasks of one
 * wave can run together. Within a wave the order is that of the graph. Throws `INVALID_TASK_GRAPH`.
 */
export const executionOrder = guarded('executionOrder', executionOrderUnchecked, { checksInside: true })

function executionOrderUnchecked(graph: TaskGraphLike): string[][] {
  const { links, errors } = checkTaskGraph(graph)
  if (errors.length > 0) {
    const message = `The task graph has no execution order: ${describeIssues(errors, 'it', 1)}.`
    throw contractsError('INVALID_TASK_GRAPH', message, { details: { errors } })
  }
  const { ids, dependencies } = links
  const wave = new Int32Array(ids.length)
  // Dependents come first, since edges point from a task to its dependencies.
  for (const task of topologicalOrder(dependencies).reverse()) {
    for (const dependency of dependencies[task] ?? []) {
      wave[task] = Math.max(wave[task] as number, (wave[dependency] as number) + 1)
    }
  }
  const waves: string[][] = []
  for (const [task, id] of ids.entries()) {
    const number = wave[task] as number
    while (waves.length <= number) waves.push([])
    waves[number]?.push(id)
  }
  return waves
}
