import { type CollectionDeclaration, columnIndex, parsePath } from '@minions/core'
import { escapeIdentifier } from 'pg'
import { columnOf, referenceOf, type Table } from './names.js'
import { literalPath } from './sql/operand.js'

const TYPES = { string: 'text COLLATE "C"', number: 'double precision', boolean: 'boolean' } as const

/**
 * The statements that make a collection: a table with the document and its columns, indexes that end with the key, and
 * inverted indexes of lists and words. Foreign keys follow when all tables are there: see `referenceStatement`.
 */
export function createStatements(table: Table): string[] {
  const { declaration } = table
  const statements = [`CREATE TABLE ${table.sql} (${tableParts(table).join(', ')})`]
  const index = (part: string, definition: string, unique = '') =>
    statements.push(`CREATE ${unique}INDEX ${escapeIdentifier(table.part(part))} ON ${table.sql} ${definition}`)
  for (const [position, columns] of table.indexes.entries()) {
    // Nulls come first in every order, so that one index serves both directions.
    const sorted = columns.map((column) => `${columnOf(column)} NULLS FIRST`)
    index(`i${position}`, `(${[...sorted, 'key'].join(', ')})`)
  }
  for (const [position, names] of declaration.unique.entries()) {
    index(`u${position}`, `(${columnList(declaration, names).join(', ')})`, 'UNIQUE ')
  }
  for (const position of declaration.references.keys()) index(`r${position}`, `(${referenceOf(position)})`)
  for (const column of indexedLists(declaration)) {
    const path = parsePath(declaration.columns[column]?.path ?? '')
    // Elements are hashed, so they may be of any length.
    index(`l${column}`, `USING gin ((${literalPath('doc', path)}) jsonb_path_ops)`)
  }
  if (table.words) index('words', `USING gin (${table.words})`)
  return statements
}

/**
 * The statement that lets the database enforce a reference, at commit. While the collection referred to does not exist,
 * nothing can be referred to.
 */
export function referenceStatement(table: Table, position: number, target: Table | undefined): string {
  const name = escapeIdentifier(table.part(`f${position}`))
  const column = referenceOf(position)
  const rule = target
    ? `FOREIGN KEY (${column}) REFERENCES ${target.sql} (key) DEFERRABLE INITIALLY DEFERRED`
    : `CHECK (${column} IS NULL)`
  return `ALTER TABLE ${table.sql} DROP CONSTRAINT IF EXISTS ${name}, ADD CONSTRAINT ${name} ${rule}`
}

/** Finds a record whose reference leads nowhere: its key and where it leads. */
export function orphanQuery(table: Table, position: number, target: Table | undefined): string {
  const column = `c.${referenceOf(position)}`
  const missing = target ? ` AND NOT EXISTS (SELECT FROM ${target.sql} o WHERE o.key = ${column})` : ''
  return `SELECT c.key, ${column} FROM ${table.sql} c WHERE ${column} IS NOT NULL${missing} LIMIT 1`
}

function tableParts(table: Table): string[] {
  return [
    'key text COLLATE "C" NOT NULL',
    'revision text NOT NULL',
    'doc jsonb NOT NULL',
    ...table.declaration.columns.flatMap(({ type, required }, index) =>
      type === 'strings' ? [] : [`${columnOf(index)} ${TYPES[type]}${required ? ' NOT NULL' : ''}`],
    ),
    ...[...table.declaration.references.keys()].map((index) => `${referenceOf(index)} text COLLATE "C"`),
    ...(table.words ? [`${table.words} tsvector NOT NULL`] : []),
    `CONSTRAINT ${escapeIdentifier(table.part('key'))} PRIMARY KEY (key)`,
  ]
}

/** Positions of the list columns that have an index. */
function indexedLists(declaration: CollectionDeclaration): number[] {
  const indexed = new Set(declaration.indexes.flat())
  return declaration.columns.flatMap((column, index) =>
    column.type === 'strings' && indexed.has(column.name) ? [index] : [],
  )
}

function columnList(declaration: CollectionDeclaration, names: readonly string[]): string[] {
  return names.map((name) => columnOf(columnIndex(declaration, name)))
}
