import { about } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Schema, SkillName, Timestamp, Version, within } from '../../attributes.js'

/** The limits of a skill's attributes. Times are in seconds. */
export const SKILL_LIMITS = {
  description: 500,
  timeout: { min: 1, max: 3600, default: 30 },
  max_retries: { min: 0, max: 5, default: 0 },
  tags: 10,
  tag: 30,
} as const

const TextList = (description: string) => Type.Immutable(Type.Array(Type.String(), { description }))

/** The part of a skill's record about its folder, if that follows the Agent Skills standard. */
const AgentSkillSource = Type.Object({
  digest: Type.String({ description: 'SHA-256 of all files.' }),
  license: about(Type.Optional(Type.String()), 'Licence of the skill.'),
  compatibility: about(Type.Optional(Type.String()), 'What it needs to run.'),
  metadata: about(Type.Record(Type.String(), Type.String()), 'Other front matter, by name.'),
  allowed_tools: Type.Optional(TextList('Tools that the skill allows; unspecified if absent.')),
  files: about(
    Type.Immutable(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Path below the folder of the skill.' }),
          size: Type.Integer({ description: 'Bytes.' }),
        }),
      ),
    ),
    'Its files.',
  ),
  script: Type.Optional(Type.String({ description: 'Path of the script that this skill runs.' })),
})

/** The record of one version of a skill, as it is stored and exchanged. */
export const SkillSchema = Type.Object({
  name: SkillName,
  version: Version,
  description: Type.Optional(
    Type.String({ maxLength: SKILL_LIMITS.description, description: 'What the skill does, and when to use it.' }),
  ),
  parameters_schema: Schema,
  returns_schema: Type.Optional(Schema),
  timeout: Type.Optional(within(SKILL_LIMITS.timeout, 'Seconds that one attempt may take.')),
  max_retries: Type.Optional(within(SKILL_LIMITS.max_retries, 'Maximum number of retries.')),
  dependencies: Type.Optional(
    Type.Immutable(Type.Array(SkillName, { default: [], description: 'Names of skills that run before this one.' })),
  ),
  tags: about(
    Type.Optional(
      Type.Immutable(
        Type.Array(Type.String({ maxLength: SKILL_LIMITS.tag }), { maxItems: SKILL_LIMITS.tags, default: [] }),
      ),
    ),
    'Words to find it by.',
  ),
  instructions: Type.Optional(Type.String({ description: 'Text of a `SKILL.md` below its front matter.' })),
  agent_skill: about(
    Type.Optional(AgentSkillSource),
    'The folder that it was read from, if it follows the Agent Skills standard.',
  ),
  created_at: Type.Optional(Timestamp),
  updated_at: Type.Optional(Timestamp),
})

/** The record of a skill of the Agent Skills standard, whose limits are wider. */
export const AgentSkillRecordSchema = Type.Object({
  ...SkillSchema.properties,
  name: AnySkillName,
  version: AnyVersion,
  description: about(Type.String({ maxLength: 1024 }), 'What the skill does, and when to use it.'),
  agent_skill: about(AgentSkillSource, 'The folder that it was read from.'),
})

/** The record of any skill. */
export const AnySkillSchema = Type.Union([SkillSchema, AgentSkillRecordSchema])

/** The stored part of a skill: everything but its code. */
export type SkillRecord = Static<typeof SkillSchema>
