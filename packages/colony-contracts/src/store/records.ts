import { type Static, Type } from 'typebox'
import type { StoredArtifact } from '../schemas/artifact.js'
import { MissionTaskSchema } from '../schemas/mission-task-graph.js'
import { Id, MissionId, Name, type RoleType, Timestamp } from '../schemas/parts.js'

const revision = Type.Integer({ minimum: 1 })
const owner = { mission_id: MissionId, tenant_id: Id, actor_id: Id }
const origin = { created_at: Timestamp, producer: Name }

/** One task of a mission, as described by the latest graph that has it. */
export const TaskRecordSchema = Type.Object({
  ...MissionTaskSchema.properties,
  // Roles are checked with the graph, by the registry of the app.
  role_type: Type.Unsafe<RoleType>(Name),
  ...owner,
  ...origin,
  graph_revision: revision,
})

/** A task with its mission; `graph_revision` is that of the latest graph that has it. */
export type TaskRecord = Static<typeof TaskRecordSchema>

/** A graph is stored whole beside its revision, since its payload may have fields of any name. */
export const TaskGraphRecordSchema = Type.Object({
  ...owner,
  ...origin,
  revision,
  content_hash: Type.String(),
  graph: Type.Unsafe<StoredArtifact<'mission_task_graph'>>({ type: 'object' }),
})
export type TaskGraphRecord = Static<typeof TaskGraphRecordSchema>
