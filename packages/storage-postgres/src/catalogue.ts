import { type Collection, type CollectionDeclaration, inKeyOrder, MinionsError, planUpgrade } from '@minions/core'
import { sqlState } from './errors.js'
import type { Executor } from './executor.js'
import { CATALOGUE, qualified } from './names.js'

/** Version of how collections are laid out in tables; raised when that changes. */
const LAYOUT = 1

export type Catalogue = Map<string, CollectionDeclaration>

export function createCatalogue(schema: string): string {
  return `CREATE TABLE IF NOT EXISTS ${qualified(schema, CATALOGUE)} (name text COLLATE "C" PRIMARY KEY, layout integer NOT NULL, declaration jsonb NOT NULL)`
}

/** Declarations of all collections in the store, by name; undefined when there is no store yet. */
export async function readCatalogue(executor: Executor, schema: string): Promise<Catalogue | undefined> {
  const text = `SELECT name, layout, declaration FROM ${qualified(schema, CATALOGUE)} ORDER BY name`
  try {
    const { rows } = await executor.run({ text, values: [] })
    return new Map(rows.map((row) => readEntry(schema, row as readonly [string, string, string])))
  } catch (error) {
    const state = sqlState((error as Error).cause)
    if (state === '42P01' || state === '3F000') return undefined
    throw error
  }
}

export async function storeDeclaration(
  executor: Executor,
  schema: string,
  declaration: CollectionDeclaration,
): Promise<void> {
  await executor.run({
    text: `INSERT INTO ${qualified(schema, CATALOGUE)} (name, layout, declaration) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET layout = excluded.layout, declaration = excluded.declaration`,
    values: [declaration.name, LAYOUT, JSON.stringify(declaration)],
  })
}

/** Whether opening with these collections has nothing to do. Throws `STORAGE_VERSION` when it cannot be done. */
export function isUpToDate(catalogue: Catalogue, collections: readonly Collection[]): boolean {
  const steps = collections.map((collection) => planUpgrade(collection, catalogue.get(collection.name)))
  return steps.every((step) => step === 'none')
}

function readEntry(
  schema: string,
  [name, layout, declaration]: readonly [string, string, string],
): [string, CollectionDeclaration] {
  if (Number(layout) > LAYOUT) {
    throw new MinionsError(
      'STORAGE_VERSION',
      `The collection "${name}" in schema "${schema}" was written by a newer version of @minions/storage-postgres; upgrade it.`,
      { details: { collection: name, stored: Number(layout), known: LAYOUT } },
    )
  }
  return [name, inKeyOrder(JSON.parse(declaration) as CollectionDeclaration)]
}
