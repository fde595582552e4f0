import { described } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Schema, SkillName, Timestamp, Version } from '../../attributes.js'

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
const AgentSkillSource = described(
  Type.Object({
    digest: Type.String({ description: 'SHA-256 of all files.' }),
    license: Type.Optional(Type.String()),
    compatibility: Type.Optional(Type.String()),
    metadata: Type.Record(Type.String(), Type.String()),
    allowed_tools: Type.Optional(TextList('Tools that the skill allows; unspecified if absent.')),
    files: Type.Immutable(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'Path below the folder of the skill.' }),
          size: Type.Integer({ description: 'Bytes.' }),
        }),
      ),
    ),
    script: Type.Optional(Type.String({ description: 'Path of the script that this skill runs.' })),
  }),
  {
    license: 'Licence of the skill.',
    compatibility: 'What it needs to run.',
    metadata: 'Other front matter, by name.',
    files: 'Its files.',
  },
)

/** The record of one version of a skill, as it is stored and exchanged. */
export const SkillSchema = described(
  Type.Object({
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
    instructions: Type.Optional(Type.String({ description: 'Text of a `SKILL.md` below its front matter.' })),
    agent_skill: Type.Optional(AgentSkillSource),
    created_at: Type.Optional(Timestamp),
    updated_at: Type.Optional(Timestamp),
  }),
  {
    description: 'What the skill does, and when to use it.',
    max_retries: 'Maximum number of retries.',
    tags: 'Words to find it by.',
    agent_skill: 'The folder that it was read from, if it follows the Agent Skills standard.',
  },
)

/** The record of a skill of the Agent Skills standard, whose limits are wider. */
export const AgentSkillRecordSchema = described(
  Type.Object({
    ...SkillSchema.properties,
    name: AnySkillName,
    version: AnyVersion,
    description: Type.String({ maxLength: 1024 }),
    agent_skill: AgentSkillSource,
  }),
  {
    description: 'What the skill does, and when to use it.',
    agent_skill: 'The folder that it was read from.',
  },
)

/** The record of any skill. */
export const AnySkillSchema = Type.Union([SkillSchema, AgentSkillRecordSchema])

/** The stored part of a skill: everything but its code. */
export type SkillRecord = Static<typeof SkillSchema>
