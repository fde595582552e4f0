import { MinionSchema } from '@minions/core/schema'
import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

/** One changed field or attribute of a minion; a missing side means that there was, or is, no value. */
const FieldChangeSchema = Type.Object({
  field: Type.String({ description: 'JSON pointer into the minion: `/title`, `/fields/model`.' }),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})

/** The record of one change of one minion. */
export const AuditEntrySchema = Type.Object({
  minionId: Type.String(),
  number: Type.Integer({
    minimum: 1,
    description: 'Counts the entries of a minion from 1, in the order of the changes.',
  }),
  kind: Type.Enum(
    ['created', 'updated', 'deleted', 'restored', 'purged', 'migrated', 'imported', 'baseline', 'decided', 'refused'],
    {
      description:
        '`baseline` is the previous state of a minion that is older than the log, recorded on its first change. `decided` and `refused` are about an approval, whose id is then `minionId`, or about the policy, where that is `policy`.',
    },
  ),
  at: Type.String({ description: 'When, RFC 3339 in UTC with milliseconds.' }),
  by: Type.Optional(Type.String({ description: 'Who, if known.' })),
  changes: Type.Array(FieldChangeSchema),
  code: Type.Optional(Type.String({ description: 'Why an attempt was refused.' })),
  message: Type.Optional(Type.String({ description: 'What was decided or refused, in words.' })),
  minion: Type.Optional(MinionSchema),
})

export type FieldChange = Static<typeof FieldChangeSchema>
export type AuditEntry = Static<typeof AuditEntrySchema>

/** The collection of the log. It has no references, so it outlives the minions. */
export const auditCollection = defineCollection({
  name: 'audit_log',
  schema: AuditEntrySchema,
  key: ['minionId', 'number'],
  columns: {
    minionId: { type: 'string', required: true },
    number: { type: 'number', required: true },
    at: { type: 'string', required: true },
    by: { type: 'string', indexed: true },
  },
  indexes: [['minionId', 'number'], ['at']],
  createdAt: 'at',
})
