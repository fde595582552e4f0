import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Budget, Id, Level, Name, Names, OpenObject } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionEnvelopeSchema = described(
  Type.Object(
    {
      ...rootMetadata('mission_envelope'),
      tenant_id: Id,
      actor_id: Id,
      mission_type: Name,
      origin_surface: Name,
      actor_role: Type.Optional(Name),
      user_goal: Name,
      normalized_goal: Name,
      risk_level: Level,
      sensitivity_class: Name,
      time_budget_ms: Type.Optional(Budget),
      token_budget: Type.Optional(Budget),
      requested_outputs: Type.Optional(Names),
      context_refs: Type.Optional(OpenObject),
    },
    { title: 'Mission envelope', description: 'A mission as understood, before it is split into tasks.' },
  ),
  {
    tenant_id: 'The tenant of the mission.',
    actor_id: 'On whose behalf the mission runs.',
    mission_type: 'Kind of mission.',
    origin_surface: 'Where it was requested, such as a chat or a form.',
    actor_role: 'Role of the actor on whose behalf it runs.',
    user_goal: 'The goal in the words of the requester.',
    normalized_goal: 'The goal as understood.',
    risk_level: 'Risk level.',
    sensitivity_class: 'Sensitivity of its data.',
    time_budget_ms: 'Time limit in milliseconds.',
    token_budget: 'Token budget of the models.',
    requested_outputs: 'Expected outputs.',
    context_refs: 'Context by name.',
  },
)

/** A mission as understood, before it is split into tasks. */
export type MissionEnvelope = Static<typeof MissionEnvelopeSchema>
