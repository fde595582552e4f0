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
    role_type: 'The role that performs it.',
    objective: 'Its objective.',
    depends_on: 'The tasks that must be done first.',
    required_capabilities: 'Required capabilities of its agent.',
    allowed_tools: 'Upper limit of the tools it may be granted.',
    required_data_scopes: 'The data it needs.',
    success_criteria: 'Criteria for its completion.',
  },
)

export const MissionTaskGraphSchema = described(
  Type.Object(
    { ...rootMetadata('mission_task_graph'), tasks: Type.Array(MissionTaskSchema) },
    {
      title: 'Mission task graph',
      description: 'The tasks of a mission and their dependencies; a new one replaces it.',
    },
  ),
  {
    tasks: 'The tasks, each once.',
  },
)

/** One task of a mission; `allowed_tools` is the upper limit of what it may be granted. */
export type MissionTask = Static<typeof MissionTaskSchema>

/** The tasks of a mission and their dependencies. A later graph of the same mission is a new revision. */
export type MissionTaskGraph = Static<typeof MissionTaskGraphSchema>
