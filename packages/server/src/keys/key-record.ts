import { ACCESS_KINDS } from '@minions/core/operations'
import { TimestampSchema } from '@minions/core/schema'
import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

const Area = Type.String({ minLength: 1, maxLength: 100 })

/** The visible part of a key. */
export const ApiKeySchema = Type.Object(
  {
    id: Type.String({ description: 'The part of the key that is not secret.' }),
    owner: Type.String({ description: 'Its user, the author of every change made with it.' }),
    name: Type.Optional(Type.String({ description: 'What it is for.' })),
    scopes: Type.Array(Type.Enum(ACCESS_KINDS), { description: 'Kinds of access that it grants.' }),
    namespaces: Type.Optional(Type.Array(Area, { description: 'Areas whose operations it may run; all by default.' })),
    tenant: Type.Optional(Type.String({ description: 'The tenant it is confined to.' })),
    shared: Type.Optional(
      Type.Array(Area, { description: 'Areas shared between tenants that it may use all the same.' }),
    ),
    createdAt: TimestampSchema,
    createdBy: Type.Optional(Type.String()),
    expiresAt: Type.Optional(TimestampSchema),
    lastUsedAt: Type.Optional(TimestampSchema),
    revokedAt: Type.Optional(TimestampSchema),
    revokedBy: Type.Optional(Type.String()),
  },
  { title: 'ApiKey' },
)

const KeyRecordSchema = Type.Object({
  ...ApiKeySchema.properties,
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the secret.' }),
})

export type ApiKey = Static<typeof ApiKeySchema>
export type KeyRecord = Static<typeof KeyRecordSchema>

export const keyCollection = defineCollection({
  name: 'server_keys',
  schema: KeyRecordSchema,
  key: 'id',
  columns: {
    owner: { type: 'string', required: true, indexed: true },
    tenant: { type: 'string', indexed: true },
    createdAt: { type: 'string', required: true },
  },
  createdAt: 'createdAt',
})

/** A key without its hash. */
export function withoutHash({ hash: _hash, ...key }: KeyRecord): ApiKey {
  return key
}
