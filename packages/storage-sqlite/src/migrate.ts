import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { ChangeNotes, Collection, type CollectionDeclaration, planUpgrade, removedColumns } from '@minions/core/storage'
import { createCatalogue, LAYOUT, layoutOf, readCatalogue, storeDeclaration } from './catalogue.js'
import type { Connection } from './connection.js'
import { CREATE_CHANGES, writeChanges } from './feed.js'
import { migrateFromLayout1 } from './layout-1.js'
import { quoted, type Table, tableOf } from './names.js'
import { columnsOf, createStatements, createTable, dropStatements, indexStatements, type Tables } from './schema.js'
import { TableWriter } from './table.js'

const BATCH = 500

/**
 * Migrates the file. Runs inside one transaction that excludes other writers, with foreign keys switched off: if the
 * process dies, the file is unchanged.
 */
export function migrate(connection: Connection, collections: readonly Collection[], path: string): void {
  const layout = layoutOf(connection)
  if (layout > LAYOUT) {
    throw new MinionsError('STORAGE_VERSION', `"${path}" was written by a newer version; upgrade this program.`, {
      details: { path, stored: layout, known: LAYOUT },
    })
  }
  if (layout === 0) createCatalogue(connection)
  if (layout === 1) migrateFromLayout1(connection)
  if (layout !== LAYOUT) connection.exec(`PRAGMA user_version = ${LAYOUT}`)
  connection.exec(CREATE_CHANGES)
  const stored = readCatalogue(connection)
  const outdated = collections.filter((collection) => planUpgrade(collection, stored.get(collection.name)) !== 'none')
  const declarations = new Map([...stored, ...outdated.map(({ name, declaration }) => [name, declaration] as const)])
  const all = new Map([...declarations].map(([name, declaration]) => [name, tableOf(declaration)]))
  for (const collection of outdated) {
    const existing = stored.get(collection.name)
    if (existing) upgrade(connection, collection, existing, all)
    else execute(connection, createStatements(tableOf(collection.declaration), all))
    storeDeclaration(connection, collection.declaration)
  }
  const rebuilt = new Set(outdated.map(({ name }) => name))
  for (const table of all.values()) if (!rebuilt.has(table.declaration.name)) relink(connection, table, all)
}

/** Recreates the tables of a collection and passes every record through its upgrade. */
function upgrade(connection: Connection, collection: Collection, existing: CollectionDeclaration, all: Tables): void {
  const old = tableOf(existing)
  const table = tableOf(collection.declaration)
  execute(connection, [
    'CREATE TEMP TABLE upgrading (id INTEGER PRIMARY KEY, key TEXT, revision TEXT, doc TEXT NOT NULL)',
    `INSERT INTO temp.upgrading (id, key, revision, doc) SELECT ${old.row}, ${old.key}, ${old.revision}, ${old.doc} FROM ${old.sql}`,
    ...dropStatements(old),
    ...createStatements(table, all),
  ])
  const writer = new TableWriter(collection.declaration)
  for (let last = -1, rows: unknown[][] = []; ; last = rows.at(-1)?.[0] as number) {
    rows = connection.all(`SELECT id, doc FROM temp.upgrading WHERE id > ? ORDER BY id LIMIT ${BATCH}`, last)
    if (rows.length === 0) break
    const notes = new ChangeNotes()
    for (const [, doc] of rows) {
      const write = collection.upgrade(JSON.parse(doc as string) as JsonObject, existing.version)
      writer.put(connection, write)
      notes.put(collection.name, write.key, write.revision, false)
    }
    writeChanges(connection, notes)
  }
  noteDropped(connection, table, existing)
  connection.exec('DROP TABLE temp.upgrading')
}

/** Reports keys removed by an upgrade to the feed. */
function noteDropped(connection: Connection, { sql, key }: Table, existing: CollectionDeclaration): void {
  const before = new Collection(existing)
  const notes = new ChangeNotes()
  const dropped = connection.all(
    `SELECT key, revision, doc FROM temp.upgrading WHERE key NOT IN (SELECT ${key} FROM ${sql})`,
  ) as [key: string, revision: string, doc: string][]
  for (const [key, revision, doc] of dropped) {
    const { columns } = before.fromStored(JSON.parse(doc) as JsonObject, revision)
    notes.delete(existing.name, key, revision, removedColumns(existing, columns))
  }
  writeChanges(connection, notes)
}

/**
 * Recreates a table whose references no longer match the table and key of their targets: one of these is new, or an
 * upgrade gave it another key. SQLite cannot change a foreign key.
 */
function relink(connection: Connection, table: Table, all: Tables): void {
  if (table.references.length === 0 || isLinked(connection, table, all)) return
  const aside = quoted(`_${table.declaration.name}_relinked`)
  const columns = columnsOf(table).join(', ')
  execute(connection, [
    createTable(table, all, aside),
    `INSERT INTO ${aside} (${columns}) SELECT ${columns} FROM ${table.sql}`,
    `DROP TABLE ${table.sql}`,
    `ALTER TABLE ${aside} RENAME TO ${table.sql}`,
    ...indexStatements(table),
  ])
}

function isLinked(connection: Connection, table: Table, all: Tables): boolean {
  const keys = connection.all(`PRAGMA foreign_key_list(${table.sql})`).map(([, , to, from, key]) => [from, to, key])
  return table.references.every((column, index) => {
    const target = all.get(table.declaration.references[index]?.collection ?? '')
    const found = keys.find(([from]) => quoted(String(from)) === column)
    return target
      ? found !== undefined && quoted(String(found[1])) === target.sql && quoted(String(found[2])) === target.key
      : found === undefined
  })
}

function execute(connection: Connection, statements: readonly string[]): void {
  for (const statement of statements) connection.exec(statement)
}
