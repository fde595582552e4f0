import { isMinionsError } from '@minions/core'
import type { IdSource } from '@minions/core/plugin'
import { defineCollection, type StoreAccess } from '@minions/core/storage'
import { Type } from 'typebox'

const ClusterSchema = Type.Object({ name: Type.Literal('cluster'), id: Type.String() })

const clusterCollection = defineCollection({ name: 'bullmq_cluster', version: 1, schema: ClusterSchema, key: 'name' })

/** The collections of this package. */
export const bullmqCollections = [clusterCollection] as const

/** The identity of this store, so that two stores do not use one prefix. */
export async function clusterIdOf(store: StoreAccess, ids: IdSource): Promise<string> {
  const known = await store.get(clusterCollection, 'cluster')
  if (known !== undefined) return known.id
  const id = ids()
  try {
    await store.put(clusterCollection, { name: 'cluster', id }, { ifAbsent: true })
    return id
  } catch (error) {
    const found = isMinionsError(error, 'CONFLICT') ? await store.get(clusterCollection, 'cluster') : undefined
    if (found === undefined) throw error
    return found.id
  }
}
