import { about, textMatching } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { Id, MissionId, Name, Timestamp } from './parts.js'

/** `v1`, `v2`, …; a version is compared as a number. */
export const VERSION_PATTERN = '^v[1-9][0-9]*$'

const KIND = 'Kind of artifact.'
const VERSION = 'Version of its contract, such as v1.'

/** Properties of every artifact of any kind. Tenant and actor may be missing until the envelope fills them in. */
export const RootMetadataSchema = Type.Object({
  schema_name: about(Name, KIND),
  schema_version: about(textMatching(VERSION_PATTERN), VERSION),
  mission_id: about(MissionId, 'The mission it belongs to, a UUID.'),
  tenant_id: about(Type.Optional(Id), 'The tenant of the mission.'),
  actor_id: about(Type.Optional(Id), 'On whose behalf the mission runs.'),
  created_at: about(Timestamp, 'When it was created.'),
  producer: about(Name, 'Its producer.'),
})
export type RootMetadata = Static<typeof RootMetadataSchema>

export function rootMetadata<const SchemaName extends string>(name: SchemaName) {
  return {
    ...RootMetadataSchema.properties,
    schema_name: Type.Literal(name, { description: KIND }),
    schema_version: Type.Literal('v1', { description: VERSION }),
  }
}
