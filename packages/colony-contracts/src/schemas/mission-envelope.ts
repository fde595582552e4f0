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
    { title: 'Mission envelope', description: 'A mission as it was understood, before it is split into tasks.' },
  ),
  {
    tenant_id: 'The tenant whose mission it is.',
    actor_id: 'On whose behalf the mission runs.',
    mission_type: 'Kind of mission.',
    origin_surface: 'Where it was asked for, such as a chat or a form.',
    actor_role: 'Role of the one on whose behalf it runs.',
    user_goal: 'The goal in the words of who asked.',
    normalized_goal: 'The goal as it was understood.',
    risk_level: 'How much can go wrong.',
    sensitivity_class: 'How sensitive its data are.',
    time_budget_ms: 'Milliseconds that the mission may take.',
    token_budget: 'Tokens that models may use for it.',
    requested_outputs: 'What it should produce.',
    context_refs: 'What it should know, by name.',
  },
)

/** A mission as it was understood, before it is split into tasks. */
export type MissionEnvelope = Static<typeof MissionEnvelopeSchema>
