import { type Static, Type } from 'typebox'
import { Schema, SkillName, Timestamp, Version } from '../attributes.js'

/** The limits of a skill's attributes. Times are in seconds. */
export const SKILL_LIMITS = {
  description: 500,
  timeout: { min: 1, max: 3600, default: 30 },
  max_retries: { min: 0, max: 5, default: 0 },
  tags: 10,
  tag: 30,
} as const

/** The record of one version of a skill, as it is stored and exchanged. */
export const SkillSchema = Type.Object({
  name: SkillName,
  version: Version,
  description: Type.Optional(Type.String({ maxLength: SKILL_LIMITS.description })),
  parameters_schema: Schema,
  returns_schema: Type.Optional(Schema),
  timeout: Type.Optional(
    Type.Integer({
      minimum: SKILL_LIMITS.timeout.min,
      maximum: SKILL_LIMITS.timeout.max,
      default: SKILL_LIMITS.timeout.default,
      description: 'Seconds that one attempt may take.',
    }),
  ),
  max_retries: Type.Optional(
    Type.Integer({
      minimum: SKILL_LIMITS.max_retries.min,
      maximum: SKILL_LIMITS.max_retries.max,
      default: SKILL_LIMITS.max_retries.default,
    }),
  ),
  dependencies: Type.Optional(
    Type.Immutable(Type.Array(SkillName, { default: [], description: 'Names of skills that run before this one.' })),
  ),
  tags: Type.Optional(
    Type.Immutable(
      Type.Array(Type.String({ maxLength: SKILL_LIMITS.tag }), { maxItems: SKILL_LIMITS.tags, default: [] }),
    ),
  ),
  created_at: Type.Optional(Timestamp),
  updated_at: Type.Optional(Timestamp),
})

/** The stored part of a skill: everything but its code. */
export type SkillRecord = Static<typeof SkillSchema>
