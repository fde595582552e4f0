import { MinionsError } from '@minions/core'
import { inKeyOrder } from '@minions/core/json'
import { type Collection, type CollectionDeclaration, planUpgrade } from '@minions/core/storage'
import { sqlState } from './errors.js'
import type { Executor } from './executor.js'
import { CATALOGUE, qualified } from './names.js'

/** Version of the table layout; incremented when it changes. Version 1 had numbers for names. */
const LAYOUT = 2

/** The declarations of all collections in the store, by name. */
export interface Catalogue extends ReadonlyMap<string, CollectionDeclaration> {
  /** Collections in layout version 1. */
  readonly inLayout1: readonly string[]
}

export function createCatalogue(schema: string): string {
  return `CREATE TABLE IF NOT EXISTS ${qualified(schema, CATALOGUE)} (name text COLLATE "C" PRIMARY KEY, layout integer NOT NULL, declaration jsonb NOT NULL)`
}

/** The catalogue; undefined when there is no store yet. Throws `STORAGE_VERSION` for a newer layout. */
export async function readCatalogue(executor: Executor, schema: string): Promise<Catalogue | undefined> {
  const text = `SELECT name, layout, declaration FROM ${qualified(schema, CATALOGUE)} ORDER BY name`
  try {
    const { rows } = await executor.run({ text, values: [] })
    const entries = rows as readonly (readonly [string, string, string])[]
    const newer = entries.find(([, layout]) => Number(layout) > LAYOUT)
    if (newer) throw writtenByNewer(schema, newer[0], Number(newer[1]))
    const declarations = entries.map(
      ([name, , declaration]) => [name, inKeyOrder(JSON.parse(declaration) as CollectionDeclaration)] as const,
    )
    const inLayout1 = entries.flatMap(([name, layout]) => (Number(layout) === 1 ? [name] : []))
    return Object.assign(new Map(declarations), { inLayout1 })
  } catch (error) {
    const state = sqlState((error as Error).cause)
    if (state === '42P01' || state === '3F000') return undefined
    throw error
  }
}

export async function storeDeclarations(
  executor: Executor,
  schema: string,
  declarations: readonly CollectionDeclaration[],
): Promise<void> {
  await executor.run({
    text: `INSERT INTO ${qualified(schema, CATALOGUE)} (name, layout, declaration) SELECT d ->> 'name', $1::integer, d FROM jsonb_array_elements($2::jsonb) d ON CONFLICT (name) DO UPDATE SET layout = excluded.layout, declaration = excluded.declaration`,
    values: [LAYOUT, JSON.stringify(declarations)],
  })
}

/** True if opening with these collections has nothing to do. Throws `STORAGE_VERSION` when it is impossible. */
export function isUpToDate(catalogue: Catalogue, collections: readonly Collection[]): boolean {
  const steps = collections.map((collection) => planUpgrade(collection, catalogue.get(collection.name)))
  return catalogue.inLayout1.length === 0 && steps.every((step) => step === 'none')
}

function writtenByNewer(schema: string, collection: string, stored: number): Error {
  const message = `The collection "${collection}" in schema "${schema}" was written by a newer version of @minions/storage-postgres; upgrade it.`
  return new MinionsError('STORAGE_VERSION', message, { details: { collection, stored, known: LAYOUT } })
}
