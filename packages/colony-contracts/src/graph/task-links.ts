import { isId, quote } from '@minions/core'
import { pointerTo } from '@minions/core/json'
import { TASK_ROLE_TYPES } from '../schemas/parts.js'
import { type ArtifactProblem, problem } from '../validation/problem.js'

/** The parts of a task that the graph rules need. */
export interface GraphTask {
  readonly task_id: string
  readonly depends_on: readonly string[]
  readonly role_type?: string
}

/** The parts of a task graph that the graph rules need; a `MissionTaskGraph` qualifies. */
export interface TaskGraphLike {
  readonly tasks: readonly GraphTask[]
}

/** The tasks as numbers: `dependencies[n]` lists the dependencies of task `n`, each once, without itself. */
export interface TaskLinks {
  readonly ids: readonly string[]
  /** The position of each task in the graph, which differs from its number once an id is used twice. */
  readonly positions: readonly number[]
  readonly dependencies: readonly (readonly number[])[]
}

/** Reads a possibly malformed graph, and reports problems with its links; null allows any role. */
export function readTaskLinks(
  graph: unknown,
  roles: readonly string[] | null = TASK_ROLE_TYPES,
): { links: TaskLinks; errors: ArtifactProblem[] } {
  const errors: ArtifactProblem[] = []
  const tasks = listOf(graph, 'tasks', '', errors)
  const numbers = new Map<string, number>()
  const ids: string[] = []
  const positions: number[] = []
  tasks.forEach((task, index) => {
    const id = field(task, 'task_id')
    const pointer = `/tasks/${index}/task_id`
    if (!isId(id)) errors.push(problem(pointer, id === undefined ? 'REQUIRED' : 'PATTERN', 'must be an id'))
    else if (numbers.has(id))
      errors.push(problem(pointer, 'DUPLICATE_TASK', `${quote(id)} is already the id of an earlier task`))
    else {
      numbers.set(id, ids.push(id) - 1)
      positions.push(index)
    }
    if (roles !== null) checkRole(task, index, roles, errors)
  })
  const dependencies: Set<number>[] = ids.map(() => new Set())
  tasks.forEach((task, index) => {
    const id = field(task, 'task_id')
    const own = typeof id === 'string' ? numbers.get(id) : undefined
    const parent = `/tasks/${index}`
    listOf(task, 'depends_on', parent, errors).forEach((dependency, position) => {
      const pointer = `${parent}/depends_on/${position}`
      const target = typeof dependency === 'string' ? numbers.get(dependency) : undefined
      if (target === undefined) {
        errors.push(problem(pointer, 'UNKNOWN_DEPENDENCY', `this graph has no task ${quote(dependency)}`))
      } else if (target === own) {
        errors.push(problem(pointer, 'SELF_DEPENDENCY', `${quote(id)} cannot depend on itself`))
      } else if (own !== undefined) dependencies[own]?.add(target)
    })
  })
  return { links: { ids, positions, dependencies: dependencies.map((set) => [...set]) }, errors }
}

function checkRole(task: unknown, index: number, roles: readonly string[], errors: ArtifactProblem[]): void {
  const role = field(task, 'role_type')
  if (role === undefined || (roles as readonly unknown[]).includes(role)) return
  const message = `must be one of ${roles.join(', ')}`
  errors.push(problem(`/tasks/${index}/role_type`, 'NOT_ALLOWED', message))
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}

function listOf(value: unknown, key: string, parent: string, errors: ArtifactProblem[]): readonly unknown[] {
  const list = field(value, key)
  if (Array.isArray(list)) return list
  errors.push(problem(pointerTo(parent, key), list === undefined ? 'REQUIRED' : 'TYPE', 'must be a list'))
  return []
}
