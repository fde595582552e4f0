import { createHash } from 'node:crypto'
import { type Collection, type JsonObject, MinionsError, planUpgrade } from '@minions/core'
import { escapeIdentifier } from 'pg'
import { type Catalogue, createCatalogue, readCatalogue, storeDeclaration } from './catalogue.js'
import type { Executor } from './executor.js'
import { CATALOGUE, qualified, Table } from './names.js'
import { createStatements, orphanQuery, referenceStatement } from './schema.js'
import { brokenReference } from './violations.js'
import { TableWriter } from './writer.js'

const BATCH = 500

/**
 * Brings a store up to date, inside a transaction. A lock that all programs take for this schema lets one of them
 * do it while the others wait and then find it done.
 */
export async function migrate(executor: Executor, schema: string, collections: readonly Collection[]): Promise<void> {
  await run(executor, 'SELECT pg_advisory_xact_lock($1::bigint)', lockOf(schema))
  const stored = await catalogueOf(executor, schema)
  const outdated = collections.filter((collection) => planUpgrade(collection, stored.get(collection.name)) !== 'none')
  const old = new Map(
    outdated.flatMap(({ name }) => {
      const declaration = stored.get(name)
      return declaration ? [[name, new Table(schema, declaration)]] : []
    }),
  )
  // Programs that still use the old tables must be through with them before they are read.
  for (const table of old.values()) await run(executor, `LOCK TABLE ${table.sql} IN ACCESS EXCLUSIVE MODE`)
  for (const collection of outdated) {
    await create(executor, collection, new Table(schema, collection.declaration), old.get(collection.name))
    await storeDeclaration(executor, schema, collection.declaration)
    stored.set(collection.name, collection.declaration)
  }
  await connect(executor, schema, stored, new Set(outdated.map(({ name }) => name)))
}

/** The catalogue, made if the schema has none. */
async function catalogueOf(executor: Executor, schema: string): Promise<Catalogue> {
  const { rows } = await run(
    executor,
    "SELECT to_regnamespace($1) IS NOT NULL, to_regclass($2) IS NOT NULL, current_setting('server_encoding')",
    escapeIdentifier(schema),
    qualified(schema, CATALOGUE),
  )
  const [hasSchema, hasCatalogue, encoding] = rows[0] ?? []
  if (hasCatalogue === 't') return (await readCatalogue(executor, schema)) ?? new Map()
  if (encoding !== 'UTF8') {
    throw new MinionsError(
      'STORAGE_UNAVAILABLE',
      `The database has the encoding ${encoding}, which cannot hold every text; create one with ENCODING 'UTF8'.`,
      { details: { encoding } },
    )
  }
  // Only a missing schema is created: where there is one, the right to use it is enough.
  if (hasSchema !== 't') await run(executor, `CREATE SCHEMA ${escapeIdentifier(schema)}`)
  await run(executor, createCatalogue(schema))
  return new Map()
}

/** Makes the table of a collection and passes every record of the previous one through its upgrade. */
async function create(
  executor: Executor,
  collection: Collection,
  table: Table,
  previous: Table | undefined,
): Promise<void> {
  // Only the folding of text has changed, not the version: the new table has the old one's name.
  const source = previous && previous.name === table.name ? await setAside(executor, previous) : previous?.sql
  for (const statement of createStatements(table)) await run(executor, statement)
  if (!previous || !source) return
  const writer = new TableWriter(table)
  for (let last = ''; ; ) {
    const text = `SELECT key, doc FROM ${source} WHERE key > $1 ORDER BY key LIMIT ${BATCH}`
    const { rows } = await run(executor, text, last)
    if (rows.length === 0) break
    const { version } = previous.declaration
    await writer.put(
      executor,
      rows.map(([, doc]) => collection.upgrade(JSON.parse(doc ?? '') as JsonObject, version)),
    )
    last = rows.at(-1)?.[0] ?? ''
  }
  // Foreign keys of other tables go with it; they are made anew.
  await run(executor, `DROP TABLE ${source} CASCADE`)
  await run(executor, `ANALYZE ${table.sql}`)
}

/** Copies keys and documents to where they are out of the way, and removes the table. */
async function setAside(executor: Executor, { sql }: Table): Promise<string> {
  await run(executor, `CREATE TEMPORARY TABLE minions_upgrading ON COMMIT DROP AS SELECT key, doc FROM ${sql}`)
  await run(executor, `DROP TABLE ${sql} CASCADE`)
  return 'pg_temp.minions_upgrading'
}

/** Lets the database enforce the references of and to the collections that were made. */
async function connect(executor: Executor, schema: string, stored: Catalogue, made: Set<string>): Promise<void> {
  for (const declaration of stored.values()) {
    const table = new Table(schema, declaration)
    for (const [index, { collection }] of declaration.references.entries()) {
      if (!made.has(declaration.name) && !made.has(collection)) continue
      const other = stored.get(collection)
      const target = other && new Table(schema, other)
      const { rows } = await run(executor, orphanQuery(table, index, target))
      const [key, missing] = rows[0] ?? []
      if (key) throw brokenReference(table, index, key, missing ?? undefined)
      await run(executor, referenceStatement(table, index, target))
    }
  }
}

function run(executor: Executor, text: string, ...values: unknown[]) {
  return executor.run({ text, values })
}

/** Advisory locks are numbers, shared by all programs that use the database. */
function lockOf(schema: string): string {
  const hash = createHash('sha256').update(`minions:${schema}`).digest()
  return hash.readBigInt64BE().toString()
}
