import { type ArtifactProblem, type CheckResult, problem } from '../validation/problem.js'
import { findCycles } from './cycles.js'
import { describeCycle } from './describe-cycle.js'
import { readTaskLinks, type TaskGraphLike, type TaskLinks } from './task-links.js'

/**
 * Checks the rules between the tasks of a graph and reports all violations together: ids used twice, unknown
 * dependencies, self-dependencies, and cycles as their path, at the first task of the path. Linear; never
 * throws on JSON. The remaining fields of a task are the business of `validateArtifact`.
 */
export function validateTaskGraph(graph: TaskGraphLike): CheckResult {
  const { errors } = checkTaskGraph(graph)
  return { valid: errors.length === 0, errors }
}

export function checkTaskGraph(graph: unknown): { links: TaskLinks; errors: ArtifactProblem[] } {
  const { links, errors } = readTaskLinks(graph)
  for (const cycle of findCycles(links)) {
    const pointer = `/tasks/${links.positions[cycle[0] as number]}/depends_on`
    errors.push(problem(pointer, 'CYCLE', describeCycle(cycle.map((task) => links.ids[task] as string))))
  }
  return { links, errors }
}
