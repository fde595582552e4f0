import {
  type ArtifactProblem,
  isOfKind,
  linkageProblems,
  type MissionEnvelope,
  MissionIndex,
  type MissionTask,
  type MissionTaskGraph,
  type StoredArtifact,
  validateTaskGraph,
} from '@minions/colony-contracts'
import { jsonEqual, pointerTo } from '@minions/core/json'
import { issuesBelow } from '@minions/core/schema'
import { isOfTask } from '../roles/role-contracts.js'
import { dependentsOf } from './dependents.js'
import type { MissionServices } from './services.js'

/** The task that a role performed, and the artifacts it could see. */
export interface OutputOrigin {
  readonly envelope: MissionEnvelope
  /** Missing for the first plan. */
  readonly task: MissionTask | undefined
  readonly graph: MissionTaskGraph | undefined
}

/** Problems of artifacts on their own: contracts, and the mission and tenant they claim. */
export function outputProblems(
  { contracts }: MissionServices,
  origin: OutputOrigin,
  artifacts: readonly StoredArtifact[],
): ArtifactProblem[] {
  return eachOf(artifacts, (artifact) => {
    const { errors } = contracts.registry.validate(artifact)
    if (errors.length > 0) return [...errors, ...moreGraphProblems(contracts, artifact, errors)]
    const foreign = originProblems(origin, artifact)
    if (foreign.length > 0 || !isOfKind(artifact, 'mission_task_graph')) return foreign
    return [
      ...validateTaskGraph(artifact, { roles: contracts.registry.roles }).errors,
      ...planProblems(origin, artifact),
    ]
  })
}

/** Further problems of a graph that breaks its contract, so that a planner is told everything at once. */
function moreGraphProblems(
  { registry }: MissionServices['contracts'],
  artifact: StoredArtifact,
  known: readonly ArtifactProblem[],
): ArtifactProblem[] {
  if (!isOfKind(artifact, 'mission_task_graph')) return []
  const pointers = new Set(known.map(({ pointer }) => pointer))
  const { errors } = validateTaskGraph(artifact, { roles: registry.roles })
  return errors.filter(({ pointer }) => !pointers.has(pointer))
}

/** Problems between artifacts and those that the role could see; the store, which sees all, checks again. */
export function linkProblems(
  { contracts }: MissionServices,
  { envelope, graph }: OutputOrigin,
  before: readonly StoredArtifact[],
  artifacts: readonly StoredArtifact[],
): ArtifactProblem[] {
  const index = new MissionIndex(envelope)
  if (graph) index.add(graph, envelope.mission_id)
  for (const each of [...before, ...artifacts]) index.add(each, contracts.registry.idOf(each))
  return eachOf(artifacts, (artifact) => linkageProblems(artifact, index))
}

function eachOf(
  artifacts: readonly StoredArtifact[],
  problemsOf: (artifact: StoredArtifact) => readonly ArtifactProblem[],
): ArtifactProblem[] {
  return artifacts.flatMap((artifact, index) =>
    issuesBelow(artifacts.length > 1 ? `/${index}` : '', problemsOf(artifact)),
  )
}

/** A role works for one task of one mission; nothing it returns may belong to another. */
function originProblems({ envelope, task }: OutputOrigin, artifact: StoredArtifact): ArtifactProblem[] {
  const problems: ArtifactProblem[] = []
  const expect = (field: string, code: ArtifactProblem['code'], expected: string | undefined) => {
    if (artifact[field] !== expected) {
      problems.push({ pointer: `/${field}`, code, message: `must be "${expected}" or absent` })
    }
  }
  expect('mission_id', 'ORPHAN', envelope.mission_id)
  expect('tenant_id', 'TENANT_MISMATCH', envelope.tenant_id)
  expect('actor_id', 'ACTOR_MISMATCH', envelope.actor_id)
  if (isOfTask(artifact.schema_name)) expect('task_id', 'UNKNOWN_TASK', task?.task_id)
  return problems
}

/** A new plan may add tasks and change those that wait for it; others may have started, and must stay as they are. */
function planProblems({ graph: before, task: planner }: OutputOrigin, next: MissionTaskGraph): ArtifactProblem[] {
  if (before === undefined || planner === undefined) return []
  const waiting = dependentsOf(before.tasks, [planner.task_id])
  const positions = new Map(next.tasks.map(({ task_id }, index) => [task_id, index]))
  return before.tasks.flatMap((task): ArtifactProblem[] => {
    const { task_id } = task
    const position = positions.get(task_id)
    if (position === undefined) {
      const message = `lacks the task "${task_id}" of the previous graph`
      return [{ pointer: '/tasks', code: 'UNKNOWN_TASK', message }]
    }
    if (waiting.has(task_id) || jsonEqual(task as never, next.tasks[position] as never)) return []
    const message = `changes the task "${task_id}", which does not wait for "${planner.task_id}"`
    return [{ pointer: pointerTo('/tasks', position), code: 'INVALID', message }]
  })
}
