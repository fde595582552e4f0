import { createHash } from 'node:crypto'
import { MinionsError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import {
  ChangeNotes,
  type Collection,
  type CollectionDeclaration,
  collectionFromDeclaration,
  planUpgrade,
  removedColumns,
} from '@minions/core/storage'
import { escapeIdentifier } from 'pg'
import { type Catalogue, createCatalogue, readCatalogue, storeDeclarations } from './catalogue.js'
import { createFeed } from './changes/schema.js'
import { changesStatement } from './changes/write.js'
import type { Executor } from './executor.js'
import { migrateFromLayout1 } from './layout-1.js'
import { CATALOGUE, qualified, Table } from './names.js'
import { Rows } from './rows.js'
import { createStatements, indexDefinitions, orphanQuery, referenceStatement } from './schema.js'
import { brokenReference } from './violations.js'
import { TableWriter } from './writer.js'

const BATCH = 500

const EMPTY: Catalogue = Object.assign(new Map(), { inLayout1: [] })

type Declarations = ReadonlyMap<string, CollectionDeclaration>

/**
 * Migrates a store, inside a transaction. An advisory lock for this schema lets one program do it while the others wait
 * and then find it done.
 */
export async function migrate(executor: Executor, schema: string, collections: readonly Collection[]): Promise<void> {
  await run(executor, 'SELECT pg_advisory_xact_lock($1::bigint)', lockOf(schema))
  const catalogue = await catalogueOf(executor, schema)
  await runAll(executor, createFeed(schema))
  await migrateFromLayout1(executor, schema, catalogue)
  const stored = new Map(catalogue)
  const outdated = collections.filter((collection) => planUpgrade(collection, stored.get(collection.name)) !== 'none')
  const old = new Map(
    outdated.flatMap(({ name }) => {
      const declaration = stored.get(name)
      return declaration ? [[name, new Table(schema, declaration)]] : []
    }),
  )
  // Programs that still use the old tables must finish before they are read.
  for (const table of old.values()) await run(executor, `LOCK TABLE ${table.sql} IN ACCESS EXCLUSIVE MODE`)
  for (const collection of outdated) {
    await create(executor, collection, new Table(schema, collection.declaration), old.get(collection.name))
    stored.set(collection.name, collection.declaration)
  }
  if (outdated.length === 0) return
  await storeDeclarations(
    executor,
    schema,
    outdated.map(({ declaration }) => declaration),
  )
  await connect(executor, schema, stored, new Map(outdated.map(({ name }) => [name, !old.has(name)])))
}

/** The catalogue, created if the schema has none. */
async function catalogueOf(executor: Executor, schema: string): Promise<Catalogue> {
  const { rows } = await run(
    executor,
    "SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL, current_setting('server_encoding')",
    escapeIdentifier(schema),
    qualified(schema, CATALOGUE),
  )
  const [hasSchema, hasCatalogue, encoding] = rows[0] ?? []
  if (hasCatalogue === 't') return (await readCatalogue(executor, schema)) ?? EMPTY
  if (encoding !== 'UTF8') {
    const message = `The database has the encoding ${encoding}, which cannot hold every string; create one with ENCODING 'UTF8'.`
    throw new MinionsError('STORAGE_UNAVAILABLE', message, { details: { encoding } })
  }
  // Only a missing schema is created: for an existing one, permission to use it is enough.
  const createSchema = hasSchema === 't' ? [] : [`CREATE SCHEMA ${escapeIdentifier(schema)}`]
  await runAll(executor, [...createSchema, createCatalogue(schema)])
  return EMPTY
}

/** Creates the table of a collection and passes every record of the previous one through its upgrade. */
async function create(
  executor: Executor,
  collection: Collection,
  table: Table,
  previous: Table | undefined,
): Promise<void> {
  const source = previous && (await setAside(executor, previous))
  await runAll(executor, createStatements(table))
  if (!previous || !source) return
  const writer = new TableWriter(table, new Rows(table))
  await run(executor, `DECLARE minions_upgrading CURSOR FOR SELECT ${previous.doc} FROM ${source}`)
  for (;;) {
    const { rows } = await run(executor, `FETCH ${BATCH} FROM minions_upgrading`)
    if (rows.length === 0) break
    const { version } = previous.declaration
    const writes = rows.map(([doc]) => collection.upgrade(JSON.parse(doc ?? '') as JsonObject, version))
    await writer.put(executor, writes)
    const notes = new ChangeNotes()
    for (const { key, revision } of writes) notes.put(collection.name, key, revision, false)
    await writeNotes(executor, table.schema, notes)
  }
  await run(executor, 'CLOSE minions_upgrading')
  await noteDropped(executor, source, table, previous)
  await run(executor, `DROP TABLE ${source}`)
  await run(executor, `ANALYZE ${table.sql}`)
}

/** Reports keys removed by an upgrade to the change feed. */
async function noteDropped(executor: Executor, source: string, table: Table, previous: Table): Promise<void> {
  const { key, revision, doc } = previous
  const text = `SELECT ${key}, ${revision}, ${doc} FROM ${source} WHERE ${key} NOT IN (SELECT ${table.key} FROM ${table.sql})`
  const { rows } = await run(executor, text)
  const before = collectionFromDeclaration(previous.declaration)
  const notes = new ChangeNotes()
  for (const [id, old, record] of rows as readonly (readonly [string, string, string])[]) {
    const { columns } = before.fromStored(JSON.parse(record) as JsonObject, old)
    notes.delete(before.name, id, old, removedColumns(before.declaration, columns))
  }
  await writeNotes(executor, table.schema, notes)
}

async function writeNotes(executor: Executor, schema: string, notes: ChangeNotes): Promise<void> {
  const statement = changesStatement(schema, notes)
  if (statement !== undefined) await run(executor, statement)
}

/** Frees all names that the new table takes. Foreign keys of others are dropped and created again. */
async function setAside(executor: Executor, table: Table): Promise<string> {
  const aside = escapeIdentifier(table.part('old'))
  for (const part of indexDefinitions(table).keys()) {
    await run(executor, `DROP INDEX ${qualified(table.schema, table.part(part))}`)
  }
  await run(executor, `ALTER TABLE ${table.sql} DROP CONSTRAINT ${escapeIdentifier(table.part('key'))} CASCADE`)
  await run(executor, `ALTER TABLE ${table.sql} RENAME TO ${aside}`)
  return `${escapeIdentifier(table.schema)}.${aside}`
}

/**
 * Lets the database enforce references from and to the new collections, which are given with whether they are empty: no
 * reference of an empty one can be dangling.
 */
async function connect(
  executor: Executor,
  schema: string,
  stored: Declarations,
  created: ReadonlyMap<string, boolean>,
): Promise<void> {
  const statements: string[] = []
  for (const declaration of stored.values()) {
    const table = new Table(schema, declaration)
    for (const [index, { collection }] of declaration.references.entries()) {
      if (!created.has(declaration.name) && !created.has(collection)) continue
      const other = stored.get(collection)
      const target = other && new Table(schema, other)
      if (!created.get(declaration.name)) await refuseOrphans(executor, table, index, target)
      statements.push(referenceStatement(table, index, target))
    }
  }
  await runAll(executor, statements)
}

async function refuseOrphans(executor: Executor, table: Table, index: number, target: Table | undefined) {
  const { rows } = await run(executor, orphanQuery(table, index, target))
  const [key, missing] = rows[0] ?? []
  if (key) throw brokenReference(table, index, key, missing ?? undefined)
}

function run(executor: Executor, text: string, ...values: unknown[]) {
  return executor.run({ text, values })
}

/** Runs statements without values in one round trip, each after the one before it. */
async function runAll(executor: Executor, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await run(executor, statements.join('; '))
}

/** Advisory locks are numbers, shared by all programs that use the database. */
function lockOf(schema: string): string {
  const hash = createHash('sha256').update(`minions:${schema}`).digest()
  return hash.readBigInt64BE().toString()
}
