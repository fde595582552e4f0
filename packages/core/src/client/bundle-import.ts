import { jsonEqual } from '../json/equal.js'
import type { JsonObject } from '../json/json-value.js'
import type { Minion } from '../schemas/minion.js'
import type { StoreTransaction } from '../storage/access.js'
import type { Collection } from '../storage/collection.js'
import type { Store } from '../storage/store.js'
import { readClock } from '../time/clock.js'
import { damaged } from './bundle-format.js'
import type { BundleSource } from './bundle-lines.js'
import { type BundleContent, type Known, readBundle } from './bundle-read.js'
import { checkRules } from './bundle-rules.js'
import { minionsCollection, typesCollection } from './collections.js'
import type { Session } from './session.js'

export interface ImportReport {
  /** Records that were added, by collection; those that were there already, exactly so, are not counted. */
  readonly added: Readonly<Record<string, number>>
}

const BATCH = 1000

/** Reads and checks everything first, then writes it in one transaction. */
export async function importBundle(
  session: Session,
  store: Store,
  collections: readonly Collection[],
  source: BundleSource,
): Promise<ImportReport> {
  const stored = new Map((await store.catalogue()).map((declaration) => [declaration.name, declaration]))
  const known: Known = { collections, stored }
  const contents = await readBundle(known, source)
  checkTypes(session, contents.get(typesCollection.name))
  await checkRules(store, contents, known)
  const unknown = [...contents.values()].map(({ collection }) => collection).filter(({ name }) => !stored.has(name))
  if (unknown.length > 0) await store.backend.open(unknown)
  const added: Record<string, number> = {}
  await store.transaction(
    async (tx) => {
      for (const content of contents.values()) {
        const fresh = await addRecords(tx, content)
        added[content.collection.name] = fresh.length
        if (content.collection === minionsCollection) await tellImported(session, tx, fresh as Minion[])
      }
    },
    { timeout: null },
  )
  for await (const type of store.iterate(typesCollection)) session.types.learn(type)
  return { added }
}

/** A type keeps its slug for good. */
function checkTypes(session: Session, content: BundleContent | undefined): void {
  for (const { line, record } of content?.records.values() ?? []) {
    const known = session.types.registry.getById(String(record.id))
    if (known && known.slug !== record.slug) throw damaged(line, `the type "${known.id}" has another slug here`)
  }
}

async function addRecords(tx: StoreTransaction, { collection, records }: BundleContent): Promise<JsonObject[]> {
  const all = [...records.values()].map(({ record }) => record)
  const added: JsonObject[] = []
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH)
    const existing = await tx.getMany(
      collection,
      batch.map((record) => collection.keyParts(record)),
    )
    const fresh = batch.filter((_, index) => !existing[index])
    for (const [index, record] of batch.entries()) {
      const found = existing[index]
      if (!found || jsonEqual(found.record, record)) continue
      if (isSameType(collection, found.record as JsonObject, record)) {
        await tx.put(collection, record, { ifRevision: found.revision })
      } else {
        fresh.push(record)
      }
    }
    await tx.putMany(collection, fresh, { ifAbsent: true })
    added.push(...fresh)
  }
  return added
}

/** A type that code brings is stored when a client is first opened, so in two stores its times differ. */
function isSameType(collection: Collection, a: JsonObject, b: JsonObject): boolean {
  if (collection.name !== typesCollection.name) return false
  const { createdAt: _a, updatedAt: _b, ...first } = a
  const { createdAt: _c, updatedAt: _d, ...second } = b
  return jsonEqual(first, second)
}

async function tellImported(session: Session, tx: StoreTransaction, minions: readonly Minion[]): Promise<void> {
  const at = readClock(session.clock)
  for (const after of minions) {
    await session.onChange?.({ kind: 'imported', minionId: after.id, before: undefined, after, at, by: undefined }, tx)
  }
}
