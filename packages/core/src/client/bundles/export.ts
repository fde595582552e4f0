import { canonicalJson } from '../../json/canonical.js'
import type { JsonObject, JsonValue } from '../../json/json-value.js'
import { Collection } from '../../storage/collection.js'
import type { CollectionQuery } from '../../storage/query.js'
import type { Store } from '../../storage/store.js'
import { minionsCollection, relationsCollection, typeSlugsCollection, typesCollection } from '../collections.js'
import { iterateCurrent } from '../evolution/evolving.js'
import type { Session } from '../session.js'
import { BUNDLE_HEADER, LineSums } from './format.js'

export interface ExportOptions {
  /** All collections in the store, including those of plugins that are not loaded, except derived ones. */
  readonly all?: boolean
}

const OBJECTS = [typesCollection, typeSlugsCollection, minionsCollection, relationsCollection]

/**
 * Writes a store as lines of JSON, each with its newline: a header, then for each collection its declaration and its
 * records by key, then an end line with the number of records. The output is deterministic. Minions are exported in the
 * current shape of their types; with `all` they are exported as stored, because a running evolution is part of the
 * state.
 */
export async function* exportBundle(
  session: Session,
  store: Store,
  declared: readonly Collection[],
  { all = false }: ExportOptions,
): AsyncIterable<string> {
  const sums = new LineSums()
  const line = (content: JsonObject) => `${canonicalJson({ ...content, sum: sums.next(content) })}\n`
  yield line(BUNDLE_HEADER)
  let records = 0
  for (const collection of await collectionsOf(store, declared, all)) {
    yield line({ declaration: collection.declaration as JsonValue })
    const orderBy = collection.declaration.key.map((field) => ({ field }))
    for await (const record of recordsOf(session, collection, { orderBy }, all)) {
      yield line({ collection: collection.name, record })
      records += 1
    }
  }
  yield line({ end: true, records })
}

async function* recordsOf(
  session: Session,
  collection: Collection,
  query: CollectionQuery,
  all: boolean,
): AsyncIterable<JsonObject> {
  if (collection.name === minionsCollection.name && !all) {
    for await (const minion of iterateCurrent(session, query)) yield minion as JsonObject
  } else {
    for await (const { record } of session.store.iterate(collection, query)) yield record as JsonObject
  }
}

async function collectionsOf(
  store: Store,
  declared: readonly Collection[],
  all: boolean,
): Promise<readonly Collection[]> {
  if (!all) return OBJECTS as readonly Collection[]
  const derived = new Set(declared.filter((collection) => collection.derived).map(({ name }) => name))
  const catalogue = (await store.catalogue()).filter(({ name }) => !derived.has(name))
  return catalogue.map((declaration) => new Collection(declaration))
}
