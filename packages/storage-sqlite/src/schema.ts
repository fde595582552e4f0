import { columnIndex, orderedIndexes } from '@minions/core/storage'
import { partOf, type Table } from './names.js'

const TYPES = { string: 'TEXT', number: 'REAL', boolean: 'INTEGER' } as const

/** The tables of all existing and future collections, by name: a reference names the table and key of another one. */
export type Tables = ReadonlyMap<string, Table>

/**
 * The statements that create a collection: a table with the document and its columns, its indexes, a table for the
 * elements of each indexed list, and a contentless full-text index.
 */
export function createStatements(table: Table, all: Tables): string[] {
  const statements = [createTable(table, all), ...indexStatements(table)]
  for (const list of table.lists.values()) {
    statements.push(
      `CREATE TABLE ${list} (element TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (element, record)) WITHOUT ROWID`,
    )
  }
  statements.push(...listIndexStatements(table))
  if (table.text !== undefined) {
    statements.push(
      `CREATE VIRTUAL TABLE ${table.text} USING fts5(words, content='', contentless_delete=1, tokenize='ascii', detail='none')`,
    )
  }
  return statements
}

/** The statement that creates only the main table; foreign keys are checked at commit. */
export function createTable(table: Table, all: Tables, name = table.sql): string {
  const { declaration, references } = table
  const scalars = table.scalars.map(([position, column]) => {
    const { type, required } = declaration.columns[position] as { type: keyof typeof TYPES; required: boolean }
    return `${column} ${TYPES[type]}${required ? ' NOT NULL' : ''}`
  })
  const parts = [
    `${table.row} INTEGER PRIMARY KEY`,
    `${table.key} TEXT NOT NULL UNIQUE`,
    ...scalars,
    ...references.map((column, index) => `${column} TEXT ${referenceRule(table, index, all)}`),
    `${table.revision} TEXT NOT NULL`,
    `${table.doc} TEXT NOT NULL`,
  ]
  return `CREATE TABLE ${name} (${parts.join(', ')})`
}

/** Every column of the main table, as SQL. */
export function columnsOf(table: Table): string[] {
  const scalars = table.scalars.map(([, column]) => column)
  return [table.row, table.key, ...scalars, ...table.references, table.revision, table.doc]
}

/** The indexes of the main table: declared ones end with the key. */
export function indexStatements(table: Table): string[] {
  const { declaration, columns, references } = table
  const { name } = declaration
  const list = (positions: readonly number[]) => positions.map((position) => columns[position]).join(', ')
  return [
    ...orderedIndexes(declaration).map(
      (positions, index) =>
        `CREATE INDEX ${partOf(name, `i${index}`)} ON ${table.sql} (${list(positions)}, ${table.key})`,
    ),
    ...declaration.unique.map((names, index) => {
      const positions = names.map((column) => columnIndex(declaration, column))
      return `CREATE UNIQUE INDEX ${partOf(name, `u${index}`)} ON ${table.sql} (${list(positions)})`
    }),
    ...references.map((column, index) => `CREATE INDEX ${partOf(name, `r${index}`)} ON ${table.sql} (${column})`),
  ]
}

/** The indexes for finding the elements of a record. */
export function listIndexStatements({ declaration, lists }: Table): string[] {
  return [...lists].map(
    ([column, list]) => `CREATE INDEX ${partOf(declaration.name, `m${column}`)} ON ${list} (record)`,
  )
}

export function dropStatements({ sql, text, lists }: Table): string[] {
  return [...(text === undefined ? [] : [text]), ...lists.values(), sql].map((name) => `DROP TABLE ${name}`)
}

/** While the target collection does not exist, no reference is possible. */
function referenceRule({ declaration, references }: Table, index: number, all: Tables): string {
  const target = all.get(declaration.references[index]?.collection ?? '')
  return target
    ? `REFERENCES ${target.sql} (${target.key}) DEFERRABLE INITIALLY DEFERRED`
    : `CONSTRAINT ${partOf(declaration.name, `f${index}`)} CHECK (${references[index]} IS NULL)`
}
