import { IdSchema, TimestampSchema, textMatching } from '@minions/core/schema'
import { type TSchema, Type } from 'typebox'

/** Alphanumeric and hyphens, 3 to 50 characters. */
export const SKILL_NAME_PATTERN = '^[A-Za-z0-9-]{3,50}$'

/** `X.Y.Z` of semantic versioning, each number a safe integer. */
export const VERSION_PATTERN = '^(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})$'

/** The attributes that several records share. */
export const Id = Type.String({ ...IdSchema, description: 'A UUID v4 if generated here.' })
export const Timestamp = Type.String({ ...TimestampSchema, description: 'RFC 3339, without leap seconds.' })
export const SkillName = textMatching(SKILL_NAME_PATTERN, { description: 'Letters, digits and hyphens, 3 to 50.' })
export const Version = textMatching(VERSION_PATTERN, { description: 'Semantic version X.Y.Z.' })
/**
 * Names and versions of skills in records, including names of the Agent Skills standard, from one character, and
 * versions derived from a digest.
 */
export const AnySkillName = textMatching('^[^\\x00-\\x20/\\\\]{1,200}$', { description: 'Name of a skill.' })
export const AnyVersion = textMatching(VERSION_PATTERN.replace(/\$$/, '(-sha256-[0-9a-f]{16})?$'), {
  description: 'Semantic version X.Y.Z; one derived from a digest has a suffix.',
})
export const JsonRecord = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
export const Schema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'JSON Schema, draft 2020-12 or draft-07.',
})

/** A whole number within limits. */
export function within(
  { min, max, default: usual }: { min: number; max: number; default: number },
  description: string,
) {
  return Type.Integer({ minimum: min, maximum: max, default: usual, description })
}

/** An attribute that may be absent or null, which mean the same. */
export function nullable<T extends TSchema>(schema: T, description?: string) {
  return Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }))
}
