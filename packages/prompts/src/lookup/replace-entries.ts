import { jsonEqual } from '@minions/core/json'
import type { Collection, StoreTransaction } from '@minions/core/storage'

/** Replaces stored entries of the index with others; those that stay the same are not written. */
export async function replaceEntries<T>(
  tx: StoreTransaction,
  collection: Collection<T>,
  stored: readonly T[],
  entries: readonly T[],
): Promise<void> {
  const before = new Map(stored.map((entry) => [collection.keyOf(entry), entry]))
  const changed = entries.filter((entry) => !jsonEqual(before.get(collection.keyOf(entry)), entry))
  for (const entry of entries) before.delete(collection.keyOf(entry))
  const gone = Array.from(before.values(), (entry) => collection.keyParts(entry))
  await tx.deleteMany(collection, gone)
  await tx.putMany(collection, changed)
}
