import { columnIndex, indexedLists, parsePath } from '@minions/core/storage'
import { escapeIdentifier } from 'pg'
import type { Table } from './names.js'
import { literalPath } from './sql/operand.js'

const TYPES = { string: 'text COLLATE "C"', number: 'double precision', boolean: 'boolean' } as const

/**
 * The statements that create a collection: a table with the document and its columns, and its indexes. Foreign keys
 * follow when all tables exist: see `referenceStatement`.
 */
export function createStatements(table: Table): string[] {
  const indexes = [...indexDefinitions(table)].map(
    ([part, { definition, unique }]) =>
      `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${escapeIdentifier(table.part(part))} ON ${table.sql} ${definition}`,
  )
  return [`CREATE TABLE ${table.sql} (${tableParts(table).join(', ')})`, ...indexes]
}

interface IndexDefinition {
  readonly definition: string
  readonly unique?: true
}

/** The indexes of a collection, by the suffix of their names; ordered ones end with the key. */
export function indexDefinitions(table: Table): Map<string, IndexDefinition> {
  const { declaration, columns, references, key } = table
  const definitions = new Map<string, IndexDefinition>()
  for (const [position, indexed] of table.indexes.entries()) {
    // Nulls come first in every order, so that one index serves both directions.
    const sorted = indexed.map((column) => `${columns[column]} NULLS FIRST`)
    definitions.set(`i${position}`, { definition: `(${[...sorted, key].join(', ')})` })
  }
  for (const [position, names] of declaration.unique.entries()) {
    const list = names.map((name) => columns[columnIndex(declaration, name)])
    definitions.set(`u${position}`, { definition: `(${list.join(', ')})`, unique: true })
  }
  for (const [position, column] of references.entries()) definitions.set(`r${position}`, { definition: `(${column})` })
  for (const column of indexedLists(declaration)) {
    const path = parsePath(declaration.columns[column]?.path ?? '')
    // Elements are hashed, so they may be of any length.
    const definition = `USING gin ((${literalPath(table.doc, path)}) jsonb_path_ops)`
    definitions.set(`l${column}`, { definition })
  }
  if (table.words) definitions.set('words', { definition: `USING gin (${table.words})` })
  return definitions
}

/**
 * The statement that lets the database enforce a reference, at commit. While the target collection does not exist, no
 * reference is possible.
 */
export function referenceStatement(table: Table, position: number, target: Table | undefined): string {
  const name = escapeIdentifier(table.part(`f${position}`))
  const column = table.references[position]
  const rule = target
    ? `FOREIGN KEY (${column}) REFERENCES ${target.sql} (${target.key}) DEFERRABLE INITIALLY DEFERRED`
    : `CHECK (${column} IS NULL)`
  return `ALTER TABLE ${table.sql} DROP CONSTRAINT IF EXISTS ${name}, ADD CONSTRAINT ${name} ${rule}`
}

/** Finds a record with a dangling reference: its key and the target. */
export function orphanQuery(table: Table, position: number, target: Table | undefined): string {
  const column = `c.${table.references[position]}`
  const missing = target ? ` AND NOT EXISTS (SELECT FROM ${target.sql} o WHERE o.${target.key} = ${column})` : ''
  return `SELECT c.${table.key}, ${column} FROM ${table.sql} c WHERE ${column} IS NOT NULL${missing} LIMIT 1`
}

function tableParts(table: Table): string[] {
  return [
    `${table.key} text COLLATE "C" NOT NULL`,
    ...table.declaration.columns.flatMap(({ type, required }, index) =>
      type === 'strings' ? [] : [`${table.columns[index]} ${TYPES[type]}${required ? ' NOT NULL' : ''}`],
    ),
    ...table.references.map((column) => `${column} text COLLATE "C"`),
    `${table.revision} text NOT NULL`,
    `${table.doc} jsonb NOT NULL`,
    ...(table.words ? [`${table.words} tsvector NOT NULL`] : []),
    `CONSTRAINT ${escapeIdentifier(table.part('key'))} PRIMARY KEY (${table.key})`,
  ]
}
