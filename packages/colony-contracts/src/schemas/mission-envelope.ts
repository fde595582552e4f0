import { type Static, Type } from 'typebox'
import { Budget, Id, Level, Name, Names, OpenObject } from './parts.js'
import { rootMetadata } from './root-metadata.js'

export const MissionEnvelopeSchema = Type.Object(
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
  { title: 'Mission envelope', description: 'A mission as it was understood, before it is split into tasks.' },
)

/** A mission as it was understood, before it is split into tasks. */
export type MissionEnvelope = Static<typeof MissionEnvelopeSchema>
