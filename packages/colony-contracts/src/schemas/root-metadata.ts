import { textMatching } from '@minions/core'
import { type Static, Type } from 'typebox'
import { Id, MissionId, Name, Timestamp } from './parts.js'

/** `v1`, `v2`, …; a version is compared as a number. */
export const VERSION_PATTERN = '^v[1-9][0-9]*$'

/** What every artifact carries, of whatever kind. Tenant and actor may be missing until the envelope fills them in. */
export const RootMetadataSchema = Type.Object({
  schema_name: Name,
  schema_version: textMatching(VERSION_PATTERN),
  mission_id: MissionId,
  tenant_id: Type.Optional(Id),
  actor_id: Type.Optional(Id),
  created_at: Timestamp,
  producer: Name,
})
export type RootMetadata = Static<typeof RootMetadataSchema>

/** The root metadata of one version 1 contract. */
export function rootMetadata<const SchemaName extends string>(name: SchemaName) {
  const { mission_id, tenant_id, actor_id, created_at, producer } = RootMetadataSchema.properties
  return {
    schema_name: Type.Literal(name),
    schema_version: Type.Literal('v1'),
    mission_id,
    tenant_id,
    actor_id,
    created_at,
    producer,
  }
}
