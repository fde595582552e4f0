import type { JsonObject } from '@minions/core/json'
import type { Collection, Store } from '@minions/core/storage'

const BATCH = 500

/** All records of a collection in the order of their keys, several at a time. */
export async function* batches(store: Store, collection: Collection): AsyncGenerator<JsonObject[]> {
  const orderBy = collection.declaration.key.map((field) => ({ field }))
  let batch: JsonObject[] = []
  for await (const { record } of store.iterate(collection, { orderBy, limit: BATCH })) {
    batch.push(record as JsonObject)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
