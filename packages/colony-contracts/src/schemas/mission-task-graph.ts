import { type Static, Type } from 'typebox'
import { Id, Name, Names, TaskRoleType } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionTaskSchema = Type.Object({
  task_id: Id,
  role_type: TaskRoleType,
  objective: Name,
  depends_on: Type.Array(Id),
  required_capabilities: Names,
  allowed_tools: Names,
  required_data_scopes: Names,
  success_criteria: Names,
})

export const MissionTaskGraphSchema = Type.Object(
  { ...rootMetadata('mission_task_graph'), tasks: Type.Array(MissionTaskSchema) },
  {
    title: 'Mission task graph',
    description: 'The tasks of a mission and what each waits for; a new one replaces it.',
  },
)

/** One task of a mission; `allowed_tools` is the most it may ever be granted. */
export type MissionTask = Static<typeof MissionTaskSchema>

/** The tasks of a mission and what each waits for. A later graph of the same mission is a new revision. */
export type MissionTaskGraph = Static<typeof MissionTaskGraphSchema>
