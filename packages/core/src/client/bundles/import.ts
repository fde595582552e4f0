import { jsonEqual } from '../../json/equal.js'
import type { JsonObject } from '../../json/json-value.js'
import type { Minion } from '../../schemas/minion.js'
import type { Relation } from '../../schemas/relation.js'
import type { Collection } from '../../storage/collection.js'
import type { Store } from '../../storage/store.js'
import { minionsCollection, relationsCollection, typesCollection } from '../collections.js'
import type { Session } from '../session.js'
import { damaged } from './format.js'
import { addRecords, tellImported } from './import-records.js'
import type { BundleSource } from './lines.js'
import { type BundleContent, type Known, readBundle } from './read.js'
import { checkRules } from './rules.js'

export interface ImportReport {
  /** Records added, by collection; records that already existed with identical content are not counted. */
  readonly added: Readonly<Record<string, number>>
}

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
  const added = await store.transaction(
    async (tx) => {
      const fresh = new Map<string, JsonObject[]>()
      for (const { collection, records } of contents.values()) {
        const all = collection.derived ? [] : [...records.values()].map(({ record }) => record)
        const replaces = collection.name === typesCollection.name ? isSameType : undefined
        const added = await addRecords(tx, collection as Collection<JsonObject>, all, replaces)
        fresh.set(collection.name, added)
      }
      const of = (collection: Collection) => fresh.get(collection.name) ?? []
      const minions = of(minionsCollection) as Minion[]
      await tellImported(session, tx, { minions, relations: of(relationsCollection) as Relation[] })
      return Object.fromEntries([...fresh].map(([name, records]) => [name, records.length]))
    },
    { timeout: null },
  )
  for await (const type of store.iterate(typesCollection)) session.types.learn(type)
  return { added }
}

/** A type keeps its slug permanently. */
function checkTypes(session: Session, content: BundleContent | undefined): void {
  for (const { line, record } of content?.records.values() ?? []) {
    const known = session.types.registry.getById(String(record.id))
    if (known && known.slug !== record.slug) throw damaged(line, `the type "${known.id}" has another slug here`)
  }
}

/** A type declared in code is stored when a client is first opened, so its timestamps differ between stores. */
function isSameType(a: JsonObject, b: JsonObject): boolean {
  const { createdAt: _a, updatedAt: _b, ...first } = a
  const { createdAt: _c, updatedAt: _d, ...second } = b
  return jsonEqual(first, second)
}
