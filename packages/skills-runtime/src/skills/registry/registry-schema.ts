import { type Static, Type } from 'typebox'
import { Timestamp } from '../../attributes.js'
import { AnySkillSchema, type SkillRecord } from '../definition/skill-schema.js'

/** The record of the registry: the highest version of each skill and what it depends on. */
export const SkillRegistrySchema = Type.Object({
  registry_id: Type.String({ minLength: 1, description: 'There is one registry, called default.' }),
  skills: Type.Unsafe<Readonly<Record<string, SkillRecord>>>({
    type: 'object',
    additionalProperties: AnySkillSchema,
    description: 'Skills by name.',
  }),
  dependency_graph: Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description: 'Names of dependencies by skill name.',
  }),
  last_updated: Timestamp,
})

export type SkillRegistryRecord = Static<typeof SkillRegistrySchema>
