import type { JsonObject } from '@minions/core/json'
import { Type } from 'typebox'
import { skillsRef } from '../ref.js'
import { RESERVED_NAMES } from '../runtime/subagents/origin.js'
import { assertValid, attributeIssue } from '../validation.js'

/** Inputs are closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const

export const deps = { skills: skillsRef }

export const SkillNameInput = Type.String({ minLength: 1, description: 'Name of a skill.', examples: ['patrol'] })

export const VersionInput = Type.Optional(
  Type.String({ description: 'Version of the skill; the highest by default.', examples: ['1.0.0'] }),
)

export const AgentName = Type.Optional(Type.String({ description: 'A name for the subagent.', examples: ['scout'] }))

export const ListLimit = Type.Optional(
  Type.Integer({ minimum: 1, description: 'Maximum number of records to list; all by default.', examples: [20] }),
)

const Time = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }))

/** Time window of starts; the filters of the runtime use the same names. */
export const started = {
  startedAfter: Time('Started at this time or later: RFC 3339, or a date alone.', '2026-01-31T09:30:00Z'),
  startedBefore: Time('Started before this time.', '2026-02-01'),
}

/** Subagents have no author, so their creator and tenant are metadata. */
export function author({ by, tenant }: { readonly by?: string | undefined; readonly tenant?: string | undefined }) {
  return { ...(by !== undefined && { by }), ...(tenant !== undefined && { tenant_id: tenant }) }
}

/** Throws `VALIDATION_FAILED` for metadata with a reserved name. */
export function requireUnreserved(metadata: JsonObject): void {
  const taken = RESERVED_NAMES.filter((name) => Object.hasOwn(metadata, name))
  assertValid(
    'The subagent',
    taken.map((name) => ({
      ...attributeIssue('metadata', 'RESERVED', `"metadata.${name}" is set by the runtime; choose another name.`),
      pointer: `/metadata/${name}`,
    })),
  )
}
