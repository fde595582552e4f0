import { ACCESS_KINDS } from '@minions/core/operations'
import { TimestampSchema } from '@minions/core/schema'
import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { HolderSchema } from '../holder.js'

/** The status of a run; all but `running` are final. */
export const RUN_STATUSES = ['running', 'succeeded', 'failed', 'cancelled'] as const

/** A long-running operation as its caller sees it. */
export const RunSchema = Type.Object(
  {
    id: Type.String(),
    operation: Type.String({ description: 'Name of the operation.' }),
    status: Type.Enum(RUN_STATUSES),
    by: Type.Optional(Type.String({ description: 'Who started it.' })),
    tenant: Type.Optional(Type.String()),
    progress: Type.Optional(
      Type.Object({ done: Type.Number(), total: Type.Optional(Type.Number()), message: Type.Optional(Type.String()) }),
    ),
    cancelRequested: Type.Optional(Type.Boolean({ description: 'Cancellation was requested.' })),
    result: Type.Optional(Type.Unknown({ description: 'The result of the operation, once it has succeeded.' })),
    error: Type.Optional(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        details: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
      }),
    ),
    createdAt: TimestampSchema,
    endedAt: Type.Optional(TimestampSchema),
  },
  { title: 'Run' },
)

const RunRecordSchema = Type.Object({
  ...RunSchema.properties,
  // The permission needed to see it: the same as to start it.
  access: Type.Enum(ACCESS_KINDS),
  perTenant: Type.Boolean(),
  holder: HolderSchema,
})

export type Run = Static<typeof RunSchema>
export type RunRecord = Static<typeof RunRecordSchema>

export const runCollection = defineCollection({
  name: 'server_runs',
  schema: RunRecordSchema,
  key: 'id',
  columns: {
    operation: { type: 'string', required: true },
    status: { type: 'string', required: true },
    by: { type: 'string' },
    tenant: { type: 'string' },
    createdAt: { type: 'string', required: true },
    endedAt: { type: 'string', indexed: true },
  },
  indexes: [['by', 'createdAt']],
  createdAt: 'createdAt',
})

/** A run without what only the server needs. */
export function asRun({ access: _access, perTenant: _perTenant, holder: _holder, ...run }: RunRecord): Run {
  return run
}
