import { type Collection, type CollectionDeclaration, planUpgrade } from '@minions/core/storage'
import type { Connection } from './connection.js'
import { hasChanges } from './feed.js'
import { CATALOGUE } from './names.js'

/** Layout version of the file, stored in SQLite's `user_version`. Version 1 had numbers for names. */
export const LAYOUT = 2

export type Catalogue = Map<string, CollectionDeclaration>

export function layoutOf(connection: Connection): number {
  return connection.database.pragma('user_version', { simple: true }) as number
}

export function createCatalogue(connection: Connection): void {
  connection.exec(`CREATE TABLE ${CATALOGUE} (name TEXT PRIMARY KEY, declaration TEXT NOT NULL)`)
}

/** Declarations of all collections in the file, by name. */
export function readCatalogue(connection: Connection, table = CATALOGUE): Catalogue {
  const rows = connection.all(`SELECT name, declaration FROM ${table} ORDER BY name`)
  return new Map(rows.map(([name, text]) => [name as string, JSON.parse(text as string) as CollectionDeclaration]))
}

export function storeDeclaration(connection: Connection, declaration: CollectionDeclaration): void {
  connection.run(
    `INSERT INTO ${CATALOGUE} (name, declaration) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET declaration = excluded.declaration`,
    declaration.name,
    JSON.stringify(declaration),
  )
}

/** True if opening with these collections has nothing to do. */
export function isUpToDate(connection: Connection, collections: readonly Collection[]): boolean {
  if (layoutOf(connection) !== LAYOUT || !hasChanges(connection)) return false
  const stored = readCatalogue(connection)
  return collections.every((collection) => planUpgrade(collection, stored.get(collection.name)) === 'none')
}
