import type { IdSource } from '@minions/core/plugin'
import { defineCollection, type StoreAccess, unlessConflict } from '@minions/core/storage'
import { Type } from 'typebox'

const ClusterSchema = Type.Object({ name: Type.Literal('cluster'), id: Type.String() })

const clusterCollection = defineCollection({ name: 'bullmq_cluster', schema: ClusterSchema, key: 'name' })

/** The collections of this package. */
export const bullmqCollections = [clusterCollection] as const

/** The identity of this store, so that two stores do not use one prefix. */
export async function clusterIdOf(store: StoreAccess, ids: IdSource): Promise<string> {
  const known = await store.get(clusterCollection, 'cluster')
  if (known !== undefined) return known.id
  const id = ids()
  const written = await unlessConflict(store.put(clusterCollection, { name: 'cluster', id }, { ifAbsent: true }))
  // Another process may have been first.
  return written === undefined ? clusterIdOf(store, ids) : id
}
