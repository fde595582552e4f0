import { executionOrder, type GraphTask, type StoredArtifact } from '@minions/colony-contracts'
import type { JsonValue } from '@minions/core/json'
import { readClock, silentLogger } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import { messageOf } from '../errors.js'
import { type LiveMission, PLAN } from '../mission/live-mission.js'
import { work } from '../mission/perform-task.js'
import type { MissionServices } from '../mission/services.js'
import { type ArtifactRef, ArtifactRefSchema, type TaskRun } from '../state/collections.js'
import { firstDifference } from './first-difference.js'

/** The first artifact that a replay derives differently from the stored one. */
const ReplayDifferenceSchema = Type.Object({
  task_id: Type.String(),
  artifact: ArtifactRefSchema,
  pointer: Type.String({
    description: 'JSON Pointer (RFC 6901) into the artifact; empty when there is no such artifact on one side.',
  }),
  stored: Type.Optional(Type.Unsafe<JsonValue>({})),
  derived: Type.Optional(Type.Unsafe<JsonValue>({})),
  message: Type.String(),
})

export type ReplayDifference = Readonly<Static<typeof ReplayDifferenceSchema>>

export const ReplayReportSchema = Type.Object({
  mission_id: Type.String(),
  clean: Type.Boolean(),
  checked: Type.Integer({ minimum: 0, description: 'Artifacts that were derived again and found equal.' }),
  difference: Type.Optional(ReplayDifferenceSchema),
})

export type ReplayReport = Readonly<Static<typeof ReplayReportSchema>>

/**
 * Has the roles repeat every completed task from the stored artifacts before it, with recorded answers only, and
 * compares. Tasks come in dependency order, so the first difference is where the divergence began.
 */
export async function replayMission(services: MissionServices, mission: LiveMission): Promise<ReplayReport> {
  let checked = 0
  for (const { taskRun, role } of tasksToReplay(mission)) {
    const stored = mission.artifacts.get(taskRun.task_id) ?? []
    const difference = await replayTask(services, mission, taskRun, role)
    if (difference !== undefined) return { mission_id: mission.id, clean: false, checked, difference }
    checked += stored.length
  }
  return { mission_id: mission.id, clean: true, checked }
}

function tasksToReplay(mission: LiveMission): { readonly taskRun: TaskRun; readonly role: string }[] {
  const { graph, taskRuns } = mission
  const roles = new Map<string, string>([[PLAN, 'planner']])
  for (const { task_id, role_type } of graph?.tasks ?? []) roles.set(task_id, role_type)
  const order = graph === undefined ? [] : executionOrder({ tasks: graph.tasks.map(linksOf) }).flat()
  return [PLAN, ...order].flatMap((taskId) => {
    const taskRun = taskRuns.get(taskId)
    const role = roles.get(taskId)
    return taskRun?.status === 'completed' && role !== undefined ? [{ taskRun, role }] : []
  })
}

/** The order is determined by the dependencies alone. */
function linksOf({ task_id, depends_on }: GraphTask): GraphTask {
  return { task_id, depends_on }
}

async function replayTask(
  services: MissionServices,
  mission: LiveMission,
  taskRun: TaskRun,
  role: string,
): Promise<ReplayDifference | undefined> {
  const { task_id, attempt, artifacts: refs } = taskRun
  const stored = new Map(
    (mission.artifacts.get(task_id) ?? []).map((artifact) => [keyOf(services, artifact), artifact] as const),
  )
  const first = refs[0] ?? { schema_name: '', id: '' }
  let derived: readonly StoredArtifact[]
  try {
    const done = await work(
      services,
      mission,
      { taskId: task_id, role, attempt },
      {
        context: { signal: new AbortController().signal, log: silentLogger },
        now: taskRun.at,
        replay: true,
        graphRevision: taskRun.graph_revision,
        createdAt: (name, id) => stored.get(`${name} ${id}`)?.created_at ?? readClock(services.clock),
      },
    )
    derived = done.artifacts
  } catch (error) {
    const message = `The ${role} of task "${task_id}" could not be replayed: ${messageOf(error)}`
    return { task_id, artifact: first, pointer: '', message }
  }
  const byKey = new Map(derived.map((artifact) => [keyOf(services, artifact), artifact] as const))
  for (const key of new Set([...stored.keys(), ...byKey.keys()])) {
    const known = stored.get(key)
    const found = firstDifference(known as never, byKey.get(key) as never)
    if (found === undefined) continue
    const artifact = refOf(services, (known ?? byKey.get(key)) as StoredArtifact)
    const message = `${artifact.schema_name} "${artifact.id}" of task "${task_id}" differs at "${found.pointer}".`
    const { pointer, stored: was, derived: is } = found
    return {
      task_id,
      artifact,
      pointer,
      ...(was !== undefined && { stored: was }),
      ...(is !== undefined && { derived: is }),
      message,
    }
  }
  return undefined
}

function refOf({ contracts }: MissionServices, artifact: StoredArtifact): ArtifactRef {
  return { schema_name: artifact.schema_name, id: contracts.registry.idOf(artifact) }
}

function keyOf(services: MissionServices, artifact: StoredArtifact): string {
  const { schema_name, id } = refOf(services, artifact)
  return `${schema_name} ${id}`
}
