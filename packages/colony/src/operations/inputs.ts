import { operationsWith, property } from '@minions/core/operations'
import { Type } from 'typebox'
import { exampleMission } from '../example/example-mission.js'
import { FAILURE_POLICIES } from '../mission/services.js'
import { colonyRef } from '../ref.js'

/** Missions belong to a tenant, so every operation on them is called within one. */
export const operation = operationsWith({ colony: colonyRef }, { perTenant: true })

const { envelope } = exampleMission

export const exampleCaller = { tenant: envelope.tenant_id, by: 'ada' }
export const exampleInput = { mission: envelope.mission_id }
export const exampleStart = ['missions.start', { envelope }] as const
export const exampleRun = ['missions.run', { envelope }] as const

export const mission = { mission: property.text('Id of a mission.', envelope.mission_id) }

export const settings = {
  concurrency: Type.Optional(property.whole('Tasks at the same time.', 2, { minimum: 1 })),
  onFailure: Type.Optional(
    property.choice(
      FAILURE_POLICIES,
      'When a task fails: end the mission, continue with the other branches, or try the task again first.',
      'retry',
    ),
  ),
  maxAttempts: Type.Optional(
    property.whole('Attempts at a task under `retry`, the first included.', 3, { minimum: 1 }),
  ),
  workers: property.flag('Leave the tasks to workers on the store, in any process.'),
}
