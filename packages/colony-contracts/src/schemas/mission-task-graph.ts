import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, RoleType } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionTaskSchema = described(
  Type.Object({
    task_id: Id,
    role_type: RoleType,
    objective: Name,
    depends_on: Type.Array(Id),
    required_capabilities: Names,
    allowed_tools: Names,
    required_data_scopes: Names,
    success_criteria: Names,
  }),
  {
    task_id: 'Identifies the task within its mission.',
    role_type: 'The role that does it.',
    objective: 'What it is to achieve.',
    depends_on: 'The tasks that must be done before.',
    required_capabilities: 'What its agent must be able to do.',
    allowed_tools: 'The most tools it may ever be granted.',
    required_data_scopes: 'The data that it needs.',
    success_criteria: 'By what it is judged to be done.',
  },
)

export const MissionTaskGraphSchema = described(
  Type.Object(
    { ...rootMetadata('mission_task_graph'), tasks: Type.Array(MissionTaskSchema) },
    {
      title: 'Mission task graph',
      description: 'The tasks of a mission and what each waits for; a new one replaces it.',
    },
  ),
  {
    tasks: 'The tasks, each once.',
  },
)

/** One task of a mission; `allowed_tools` is the most it may ever be granted. */
export type MissionTask = Static<typeof MissionTaskSchema>

/** The tasks of a mission and what each waits for. A later graph of the same mission is a new revision. */
export type MissionTaskGraph = Static<typeof MissionTaskGraphSchema>
