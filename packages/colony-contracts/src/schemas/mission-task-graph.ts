import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, Name, Names, RoleType } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionTaskSchema = Type.Object({
  task_id: about(Id, 'Identifies the task within its mission.'),
  role_type: about(RoleType, 'The role that performs it.'),
  objective: about(Name, 'Its objective.'),
  depends_on: about(Type.Array(Id), 'The tasks that must be done first.'),
  required_capabilities: about(Names, 'Required capabilities of its agent.'),
  allowed_tools: about(Names, 'Upper limit of the tools it may be granted.'),
  required_data_scopes: about(Names, 'The data it needs.'),
  success_criteria: about(Names, 'Criteria for its completion.'),
})

export const MissionTaskGraphSchema = Type.Object(
  { ...rootMetadata('mission_task_graph'), tasks: about(Type.Array(MissionTaskSchema), 'The tasks, each once.') },
  {
    title: 'Mission task graph',
    description: 'The tasks of a mission and their dependencies; a new one replaces it.',
  },
)

/** One task of a mission; `allowed_tools` is the upper limit of what it may be granted. */
export type MissionTask = Static<typeof MissionTaskSchema>

/** The tasks of a mission and their dependencies. A later graph of the same mission is a new revision. */
export type MissionTaskGraph = Static<typeof MissionTaskGraphSchema>
