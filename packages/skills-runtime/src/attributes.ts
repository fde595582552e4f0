import { IdSchema, TimestampSchema, textMatching } from '@minions/core'
import { type TSchema, Type } from 'typebox'

/** Alphanumeric and hyphens, 3 to 50 characters. */
export const SKILL_NAME_PATTERN = '^[A-Za-z0-9-]{3,50}$'

/** `X.Y.Z` of semantic versioning, each number within what a number can hold exactly. */
export const VERSION_PATTERN = '^(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})\\.(0|[1-9][0-9]{0,14})$'

/** The attributes that several records share. */
export const Id = Type.String({ ...IdSchema, description: 'A UUID v4 when we make it.' })
export const Timestamp = Type.String({ ...TimestampSchema, description: 'RFC 3339, without leap seconds.' })
export const SkillName = textMatching(SKILL_NAME_PATTERN, { description: 'Letters, digits and hyphens, 3 to 50.' })
export const Version = textMatching(VERSION_PATTERN, { description: 'Semantic version X.Y.Z.' })
export const JsonRecord = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
export const Schema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'JSON Schema, draft 2020-12 or draft-07.',
})

/** An attribute that may be left out or be null, which means the same. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}
