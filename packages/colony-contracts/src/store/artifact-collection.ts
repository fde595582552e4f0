import { quote } from '@minions/core'
import {
  type Collection,
  type CollectionDefinition,
  defineCollection,
  type Key,
  type ReferenceDeclaration,
} from '@minions/core/storage'
import { Type } from 'typebox'
import { contractsError } from '../errors.js'
import type { ArtifactKind } from '../registry/artifact-kind.js'
import { artifactSchemas, type StoredArtifact } from '../schemas/artifact.js'

/** A kind of artifact that has a collection, and the property with its own id. */
export interface StoredKind<Name extends string = string> {
  readonly collection: Collection<StoredArtifact<Name>>
  readonly idField: string
}

export function keyOf({ idField }: StoredKind, missionId: string, id: string): Key {
  return idField === 'mission_id' ? missionId : [missionId, id]
}

export const required = { type: 'string', required: true } as const

/** The root metadata stored in columns; tenants are columns so that every read can be confined to one. */
export const rootColumns = {
  mission_id: required,
  tenant_id: required,
  actor_id: required,
  producer: required,
  created_at: required,
} as const

export const missionReference: ReferenceDeclaration = { columns: ['mission_id'], collection: 'colony_missions' }

export interface ArtifactCollectionDefinition<Name extends string>
  extends Pick<CollectionDefinition, 'name' | 'columns' | 'indexes'> {
  readonly schemaName: Name
  readonly idField: string
  /** True if artifacts of this kind belong to a task. */
  readonly task?: 'required' | 'optional'
}

/** Artifacts, stored unchanged. Contracts are checked before, in any version; the schema only identifies the kind. */
export function artifactCollection<Name extends string>(
  definition: ArtifactCollectionDefinition<Name>,
): StoredKind<Name> {
  const { name, schemaName, idField, task, columns, indexes } = definition
  const isMission = schemaName === 'mission_envelope'
  const collection = defineCollection({
    name,
    schema: Type.Unsafe<StoredArtifact<Name>>(Type.Object({ schema_name: Type.Literal(schemaName) })),
    key: idField === 'mission_id' ? idField : ['mission_id', idField],
    columns: {
      ...rootColumns,
      [idField]: required,
      ...(task && { task_id: { type: 'string', required: task === 'required' } as const }),
      ...columns,
    },
    indexes: [
      ['tenant_id', 'created_at'],
      ...(isMission ? [] : (indexes ?? [['mission_id', ...(task ? ['task_id'] : [])]])),
    ],
    references: [
      ...(isMission ? [] : [missionReference]),
      ...(task ? [{ columns: ['mission_id', 'task_id'], collection: 'colony_tasks' }] : []),
    ],
  })
  return { collection: collection as Collection<StoredArtifact<Name>>, idField }
}

/**
 * One collection for each custom kind, named `colony_kind_` and the kind. Throws `INVALID_ARTIFACT_KIND` for a name
 * that is too long for a collection.
 */
export function kindCollections(kinds: readonly ArtifactKind[]): Map<string, StoredKind> {
  const collections = new Map<string, StoredKind>()
  for (const { name, version, idField = 'artifact_id' } of kinds) {
    if (Object.hasOwn(artifactSchemas, name) || collections.has(name)) continue
    try {
      const definition = { name: `colony_kind_${name}`, schemaName: name, idField, task: 'optional' } as const
      collections.set(name, artifactCollection(definition))
    } catch (cause) {
      const message = `Artifact kind ${quote(name)} cannot be stored: its name cannot be used for a collection.`
      throw contractsError('INVALID_ARTIFACT_KIND', message, {
        cause,
        details: { name: String(name).slice(0, 128), version: String(version).slice(0, 128) },
      })
    }
  }
  return collections
}
