import type { JsonObject } from '@minions/core/json'
import { type OperationContext, operationsWith, property } from '@minions/core/operations'
import { issueAt } from '@minions/core/schema'
import { Type } from 'typebox'
import { skillsRef } from '../ref.js'
import { RESERVED_NAMES } from '../runtime/subagents/origin.js'
import { assertValid } from '../validation.js'

export const operation = operationsWith({ skills: skillsRef })

export const SkillNameInput = property.text('Name of a skill.', 'patrol', { minLength: 1 })

export const VersionInput = Type.Optional(property.text('Version of the skill; the highest by default.', '1.0.0'))

export const AgentName = Type.Optional(property.text('A name for the subagent.', 'scout'))

export const ListLimit = Type.Optional(
  property.whole('Maximum number of records to list; all by default.', 20, { minimum: 1 }),
)

export const NewestFirst = property.flag('The newest first, and with a limit only those.')

/** Time window of starts; the filters of the runtime use the same names. */
export const started = {
  startedAfter: Type.Optional(
    property.text('Started at this time or later: RFC 3339, or a date alone.', '2026-01-31T09:30:00Z'),
  ),
  startedBefore: Type.Optional(property.text('Started before this time.', '2026-02-01')),
}

/** Subagents have no author, so their creator and tenant are metadata. */
export function author({ by, tenant }: Pick<OperationContext, 'by' | 'tenant'>) {
  return { ...(by !== undefined && { by }), ...(tenant !== undefined && { tenant_id: tenant }) }
}

/** Throws `VALIDATION_FAILED` for metadata with a reserved name. */
export function requireUnreserved(metadata: JsonObject): void {
  const taken = RESERVED_NAMES.filter((name) => Object.hasOwn(metadata, name))
  assertValid(
    'The subagent',
    taken.map((name) => issueAt(`/metadata/${name}`, 'RESERVED', 'is set by the runtime; choose another name')),
  )
}
