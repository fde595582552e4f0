import type { Row } from '@minions/core/memory'
import { type Collection, collectionFromDeclaration, planUpgrade } from '@minions/core/storage'
import { prepareCommit } from '../commit/prepare-commit.js'
import { writeFiles } from '../commit/write-files.js'
import type { Journal } from '../journal/journal.js'
import { writeCatalogue } from './catalogue.js'
import type { State, StoredCollection } from './state.js'

/** Declares the collections of the catalogue, and the new ones. Those to be upgraded are declared as stored. */
export function declareAll(state: State, collections: readonly Collection[]): void {
  const declared = new Map(collections.map((collection) => [collection.name, collection]))
  for (const declaration of Object.values(state.catalogue.collections)) {
    state.declare(storedCollection(collectionFromDeclaration(declaration), declared.get(declaration.name)))
  }
  for (const collection of collections) {
    if (state.collections.has(collection.name)) continue
    state.declare(storedCollection(collectionFromDeclaration(collection.declaration), collection))
  }
}

/** Collections that the store has in an older version. */
export function outdated(state: State, collections: readonly Collection[]): Collection[] {
  return collections.filter((collection) => {
    const stored = state.collections.get(collection.name)?.stored.declaration
    return planUpgrade(collection, stored) === 'upgrade'
  })
}

/** True if the catalogue has all of these collections as declared. */
export function isUpToDate(state: State, collections: readonly Collection[]): boolean {
  return collections.every(
    (collection) => planUpgrade(collection, state.catalogue.collections[collection.name]) === 'none',
  )
}

/** Upgrades collections where necessary and adds new ones to the catalogue, in one commit. */
export async function upgradeAll(state: State, journal: Journal, collections: readonly Collection[]): Promise<void> {
  const old = outdated(state, collections)
  const isNew = collections.some(({ name }) => state.catalogue.collections[name] === undefined)
  if (old.length === 0 && !isNew) return
  const upgraded = state.engine.declare(collections)
  const before = new Map(upgraded.map((table) => [table.before.declaration.name, table.before.rows]))
  const commit = new Map(old.map(({ name }) => [name, rewritten(state, name)]))
  const prepared = prepareCommit(state, [commit], (name, key) => before.get(name)?.get(key))
  const changes = prepared.commits.flat()
  const declarations = Object.fromEntries(collections.map(({ name, declaration }) => [name, declaration]))
  const catalogue = { ...state.catalogue, collections: { ...state.catalogue.collections, ...declarations } }
  journal.append([{ changes, catalogue }])
  state.note(changes)
  await writeFiles(state.folder, prepared)
  writeCatalogue(state.folder, catalogue)
  journal.markApplied()
  state.become(catalogue)
  for (const collection of old) {
    const stored = collectionFromDeclaration(collection.declaration)
    state.collections.set(collection.name, storedCollection(stored, collection))
  }
}

/** All records of an upgraded collection, and its removed keys. */
function rewritten(state: State, collection: string): Map<string, Row | null> {
  const rows = new Map<string, Row | null>()
  for (const entry of state.index.entries()) if (entry.collection === collection) rows.set(entry.key, null)
  for (const row of state.engine.rows(collection)) rows.set(row.key, row)
  return rows
}

function storedCollection(stored: Collection, declared: Collection | undefined): StoredCollection {
  const unchanged: StoredCollection['derive'] = (record) => record
  if (!declared) return { stored, check: (record) => stored.toWrite(record, ''), derive: unchanged }
  if (planUpgrade(declared, stored.declaration) === 'none') {
    return { stored, check: (record) => declared.toWrite(record, ''), derive: (record) => declared.derive(record) }
  }
  const check = (record: unknown) => {
    const write = stored.toWrite(record, '')
    declared.upgrade(write.record, stored.declaration.version)
    return write
  }
  return { stored, check, derive: unchanged }
}
