import { described, textMatching } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, MissionId, Name, Timestamp } from './parts.js'

/** `v1`, `v2`, …; a version is compared as a number. */
export const VERSION_PATTERN = '^v[1-9][0-9]*$'

const KIND = 'Kind of artifact.'
const VERSION = 'Version of its contract, such as v1.'

/** Properties of every artifact of any kind. Tenant and actor may be missing until the envelope fills them in. */
export const RootMetadataSchema = described(
  Type.Object({
    schema_name: Name,
    schema_version: textMatching(VERSION_PATTERN),
    mission_id: MissionId,
    tenant_id: Type.Optional(Id),
    actor_id: Type.Optional(Id),
    created_at: Timestamp,
    producer: Name,
  }),
  {
    schema_name: KIND,
    schema_version: VERSION,
    mission_id: 'The mission it belongs to, a UUID.',
    tenant_id: 'The tenant of the mission.',
    actor_id: 'On whose behalf the mission runs.',
    created_at: 'When it was created.',
    producer: 'Its producer.',
  },
)
export type RootMetadata = Static<typeof RootMetadataSchema>

/** The root metadata of one version 1 contract. */
export function rootMetadata<const SchemaName extends string>(name: SchemaName) {
  const { mission_id, tenant_id, actor_id, created_at, producer } = RootMetadataSchema.properties
  return {
    schema_name: Type.Literal(name, { description: KIND }),
    schema_version: Type.Literal('v1', { description: VERSION }),
    mission_id,
    tenant_id,
    actor_id,
    created_at,
    producer,
  }
}
