import { canonicalJson } from '../json/canonical.js'
import type { JsonObject, JsonValue } from '../json/json-value.js'
import type { StoreReader } from '../storage/access.js'
import { Collection } from '../storage/collection.js'
import type { Store } from '../storage/store.js'
import { BUNDLE_HEADER, LineSums } from './bundle-format.js'
import { minionsCollection, relationsCollection, typeSlugsCollection, typesCollection } from './collections.js'

export interface ExportOptions {
  /** Every collection in the store, also of plugins that are not here. */
  readonly all?: boolean
}

const OBJECTS = [typesCollection, typeSlugsCollection, minionsCollection, relationsCollection]

/**
 * Writes a store as lines of JSON, each with its newline: a header, then for each collection its declaration and its
 * records by key, then an end line with the number of records. The same content always gives the same text. `reader` is
 * the store, or a transaction of it.
 */
export async function* exportBundle(
  reader: StoreReader,
  store: Store,
  { all = false }: ExportOptions,
): AsyncIterable<string> {
  const sums = new LineSums()
  const line = (content: JsonObject) => `${canonicalJson({ ...content, sum: sums.next(content) })}\n`
  yield line(BUNDLE_HEADER)
  let records = 0
  for (const collection of await collectionsOf(store, all)) {
    yield line({ declaration: collection.declaration as unknown as JsonValue })
    const orderBy = collection.declaration.key.map((field) => ({ field }))
    for await (const { record } of reader.iterate(collection, { orderBy })) {
      yield line({ collection: collection.name, record: record as JsonObject })
      records += 1
    }
  }
  yield line({ end: true, records })
}

async function collectionsOf(store: Store, all: boolean): Promise<readonly Collection[]> {
  if (!all) return OBJECTS as readonly Collection[]
  return (await store.catalogue()).map((declaration) => new Collection(declaration))
}
