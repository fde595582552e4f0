import { cyclesOf } from '@minions/core/coordination'
import { guarded } from '@minions/core/plugin'
import { type ArtifactProblem, type CheckResult, problem } from '../validation/problem.js'
import { describeCycle } from './describe-cycle.js'
import { readTaskLinks, type TaskGraphLike, type TaskLinks } from './task-links.js'

/**
 * Checks the rules between the tasks of a graph and reports all violations together: ids used twice, unknown
 * dependencies, self-dependencies, and cycles as their path, at the first task of the path: one for every set of
 * interdependent tasks. `roles` are the allowed roles; default: the built-in ones. Linear; never throws on JSON. The
 * remaining fields of a task are checked by `validateArtifact`.
 */
export const validateTaskGraph = guarded('validateTaskGraph', validateTaskGraphUnchecked, { checksInside: true })

function validateTaskGraphUnchecked(
  graph: TaskGraphLike,
  { roles }: { readonly roles?: readonly string[] } = {},
): CheckResult {
  const { errors } = checkTaskGraph(graph, roles)
  return { valid: errors.length === 0, errors }
}

export function checkTaskGraph(
  graph: unknown,
  roles?: readonly string[] | null,
): { links: TaskLinks; errors: ArtifactProblem[] } {
  const { links, errors } = readTaskLinks(graph, roles)
  for (const cycle of cyclesOf(links.dependencies, { most: 1 })) {
    const pointer = `/tasks/${links.positions[cycle[0] as number]}/depends_on`
    errors.push(problem(pointer, 'CYCLE', describeCycle(cycle.map((task) => links.ids[task] as string))))
  }
  return { links, errors }
}
