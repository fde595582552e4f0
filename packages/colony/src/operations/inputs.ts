import { Type } from 'typebox'
import { exampleMission } from '../example/example-mission.js'
import { FAILURE_POLICIES } from '../mission/services.js'
import { colonyRef } from '../ref.js'

/** Inputs are closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const

export const deps = { colony: colonyRef }

const { envelope } = exampleMission

/** The caller and the mission of the examples. */
export const exampleCaller = { tenant: envelope.tenant_id, by: 'ada' }
export const exampleInput = { mission: envelope.mission_id }
export const exampleStart = ['missions.start', { envelope }] as const
export const exampleRun = ['missions.run', { envelope }] as const

export const mission = { mission: Type.String({ description: 'Id of a mission.', examples: [envelope.mission_id] }) }

/** How a mission is run. */
export const settings = {
  concurrency: Type.Optional(Type.Integer({ minimum: 1, description: 'Tasks at the same time.', examples: [2] })),
  onFailure: Type.Optional(
    Type.Enum(FAILURE_POLICIES, {
      description: 'When a task fails: end the mission, continue with the other branches, or try the task again first.',
      examples: ['retry'],
    }),
  ),
  maxAttempts: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Attempts at a task under `retry`, the first included.', examples: [3] }),
  ),
  workers: Type.Optional(
    Type.Boolean({ description: 'Leave the tasks to workers on the store, in any process.', examples: [true] }),
  ),
}
