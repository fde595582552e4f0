import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Budget, Id, Level, Name, Names, OpenObject } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionEnvelopeSchema = Type.Object(
  {
    ...rootMetadata('mission_envelope'),
    tenant_id: about(Id, 'The tenant of the mission.'),
    actor_id: about(Id, 'On whose behalf the mission runs.'),
    mission_type: about(Name, 'Kind of mission.'),
    origin_surface: about(Name, 'Where it was requested, such as a chat or a form.'),
    actor_role: about(Type.Optional(Name), 'Role of the actor on whose behalf it runs.'),
    user_goal: about(Name, 'The goal in the words of the requester.'),
    normalized_goal: about(Name, 'The goal as understood.'),
    risk_level: about(Level, 'Risk level.'),
    sensitivity_class: about(Name, 'Sensitivity of its data.'),
    time_budget_ms: about(Type.Optional(Budget), 'Time limit in milliseconds.'),
    token_budget: about(Type.Optional(Budget), 'Token budget of the models.'),
    requested_outputs: about(Type.Optional(Names), 'Expected outputs.'),
    context_refs: about(Type.Optional(OpenObject), 'Context by name.'),
  },
  { title: 'Mission envelope', description: 'A mission as understood, before it is split into tasks.' },
)

/** A mission as understood, before it is split into tasks. */
export type MissionEnvelope = Static<typeof MissionEnvelopeSchema>
