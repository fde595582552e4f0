import { takeList } from '../../errors/take.js'
import { copyJson } from '../../json/copy-json.js'
import { jsonEqual } from '../../json/equal.js'
import type { JsonObject } from '../../json/json-value.js'
import type { StoreTransaction } from '../../storage/access.js'
import type { Collection } from '../../storage/collection.js'
import { readClock } from '../../time/clock.js'
import type { ImportedRecords } from '../changes/change.js'
import { minionsCollection, relationsCollection } from '../collections.js'
import type { Session } from '../session.js'

const BATCH = 1000

/** See `MinionsAccess.importRecords`. */
export function importRecords(
  session: Session,
  { minions = [], relations = [] }: Partial<ImportedRecords>,
): Promise<ImportedRecords> {
  return session.store.transaction(async (tx) => {
    const imported = {
      minions: await addRecords(tx, minionsCollection, copied('The minions', minions)),
      relations: await addRecords(tx, relationsCollection, copied('The relations', relations)),
    }
    await tellImported(session, tx, imported)
    return imported
  })
}

/** Read once, so that plugins get what is stored. */
function copied<T>(what: string, records: readonly T[]): T[] {
  return takeList(what, records).map((record) => copyJson(record, what))
}

/** Adds the records that do not exist yet and resolves to them; `replaces` decides which may be replaced. */
export async function addRecords<T>(
  tx: StoreTransaction,
  collection: Collection<T>,
  records: readonly T[],
  replaces: (found: T, record: T) => boolean = () => false,
): Promise<T[]> {
  const added: T[] = []
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH)
    const existing = await tx.getMany(
      collection,
      batch.map((record) => collection.keyParts(record)),
    )
    const fresh: T[] = []
    for (const [index, record] of batch.entries()) {
      const found = existing[index]
      if (!found) fresh.push(record)
      else if (jsonEqual(found.record as JsonObject, record as JsonObject)) continue
      else if (replaces(found.record, record)) await tx.put(collection, record, { ifRevision: found.revision })
      else fresh.push(record)
    }
    await tx.putMany(collection, fresh, { ifAbsent: true })
    added.push(...fresh)
  }
  return added
}

export async function tellImported(session: Session, tx: StoreTransaction, imported: ImportedRecords): Promise<void> {
  const at = readClock(session.clock)
  for (const after of imported.minions) {
    await session.onChange?.({ kind: 'imported', minionId: after.id, before: undefined, after, at, by: undefined }, tx)
  }
  await session.onImport?.(imported, tx)
}
