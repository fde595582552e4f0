import { columnIndex } from '../../storage/collection.js'
import type { Store } from '../../storage/store.js'
import { damaged } from './format.js'
import type { BundleContent, BundleRecord, Known } from './read.js'

type Contents = ReadonlyMap<string, BundleContent>

/** Checks what spans a whole bundle before anything is written: unique values, and references into it or the store. */
export async function checkRules(store: Store, contents: Contents, known: Known): Promise<void> {
  for (const content of contents.values()) {
    checkUnique(content)
    await checkReferences(store, content, contents, known)
  }
}

function checkUnique({ collection, records }: BundleContent): void {
  for (const names of collection.declaration.unique) {
    const columns = names.map((name) => columnIndex(collection.declaration, name))
    const taken = new Set<string>()
    for (const { line, columns: all } of records.values()) {
      const values = columns.map((column) => all[column])
      if (values.includes(null)) continue
      const text = JSON.stringify(values)
      if (taken.has(text)) throw damaged(line, `another record has the same ${names.join(', ')}`)
      taken.add(text)
    }
  }
}

async function checkReferences(
  store: Store,
  { line, collection, records }: BundleContent,
  contents: Contents,
  known: Known,
): Promise<void> {
  for (const [index, reference] of collection.declaration.references.entries()) {
    const inBundle = contents.get(reference.collection)?.records
    const inStore = known.stored.has(reference.collection)
    if (!inBundle && !inStore) throw damaged(line, `it refers to "${reference.collection}", which is not declared`)
    const outside = new Map<string, BundleRecord>()
    for (const record of records.values()) {
      const target = record.references[index]
      if (typeof target === 'string' && !inBundle?.has(target)) outside.set(target, record)
    }
    const targets = [...outside.keys()]
    const found = inStore && targets.length > 0 ? await store.backend.get(reference.collection, targets) : []
    for (const [position, target] of targets.entries()) {
      if (found[position]) continue
      const referrer = outside.get(target) as BundleRecord
      throw damaged(referrer.line, `it refers to "${target}" of "${reference.collection}", which does not exist`)
    }
  }
}
