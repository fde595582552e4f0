import { type Collection, type CollectionDeclaration, type JsonObject, MinionsError, planUpgrade } from '@minions/core'
import type { Connection } from './connection.js'
import { CATALOGUE, tableOf } from './names.js'
import { createStatements, dropStatements } from './schema.js'
import { TableWriter } from './table.js'

/** Version of the layout of the file, kept where SQLite keeps such things. */
const LAYOUT = 1
const BATCH = 500

/** Declarations of all collections in the file, by name. */
export function readCatalogue(connection: Connection): Map<string, CollectionDeclaration> {
  const rows = connection.all(`SELECT name, declaration FROM ${CATALOGUE} ORDER BY name`)
  return new Map(rows.map(([name, text]) => [name as string, JSON.parse(text as string) as CollectionDeclaration]))
}

/** Whether opening with these collections has anything to do. */
export function isUpToDate(connection: Connection, collections: readonly Collection[]): boolean {
  if (connection.database.pragma('user_version', { simple: true }) !== LAYOUT) return false
  const stored = readCatalogue(connection)
  return collections.every((collection) => planUpgrade(collection, stored.get(collection.name)) === 'none')
}

/** Brings the file up to date. Runs inside a transaction that excludes other writers. */
export function migrate(connection: Connection, collections: readonly Collection[], path: string): void {
  const layout = connection.database.pragma('user_version', { simple: true }) as number
  if (layout > LAYOUT) {
    throw new MinionsError('STORAGE_VERSION', `"${path}" was written by a newer version; upgrade this program.`, {
      details: { path, stored: layout, known: LAYOUT },
    })
  }
  if (layout === 0) {
    connection.exec(`CREATE TABLE IF NOT EXISTS ${CATALOGUE} (name TEXT PRIMARY KEY, declaration TEXT NOT NULL)`)
    connection.exec(`PRAGMA user_version = ${LAYOUT}`)
  }
  const stored = readCatalogue(connection)
  for (const collection of collections) {
    const existing = stored.get(collection.name)
    const step = planUpgrade(collection, existing)
    if (step === 'none') continue
    if (existing) rebuild(connection, collection, existing)
    else for (const statement of createStatements(collection.declaration)) connection.exec(statement)
    connection.run(
      `INSERT INTO ${CATALOGUE} (name, declaration) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET declaration = excluded.declaration`,
      collection.name,
      JSON.stringify(collection.declaration),
    )
  }
}

/** Makes the tables of a collection anew and passes every record through its upgrade. */
function rebuild(connection: Connection, collection: Collection, existing: CollectionDeclaration): void {
  const table = tableOf(collection.name)
  connection.exec(`CREATE TEMP TABLE upgrading (id INTEGER PRIMARY KEY, doc TEXT NOT NULL)`)
  connection.exec(`INSERT INTO temp.upgrading (id, doc) SELECT id, doc FROM ${table}`)
  for (const statement of [...dropStatements(existing), ...createStatements(collection.declaration)]) {
    connection.exec(statement)
  }
  const writer = new TableWriter(collection.declaration)
  for (let last = -1, rows: unknown[][] = []; ; last = rows.at(-1)?.[0] as number) {
    rows = connection.all(`SELECT id, doc FROM temp.upgrading WHERE id > ? ORDER BY id LIMIT ${BATCH}`, last)
    if (rows.length === 0) break
    for (const [, doc] of rows) {
      writer.put(connection, collection.upgrade(JSON.parse(doc as string) as JsonObject, existing.version))
    }
  }
  connection.exec('DROP TABLE temp.upgrading')
}
