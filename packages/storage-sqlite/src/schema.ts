import { type CollectionDeclaration, columnIndex } from '@minions/core'
import { columnOf, indexedLists, isScalar, listOf, referenceOf, tableOf, textOf } from './names.js'

const TYPES = { string: 'TEXT', number: 'REAL', boolean: 'INTEGER' } as const

/**
 * The statements that make a collection: a table with the document and its columns, indexes that end with the key,
 * foreign keys checked at commit, a table for the elements of each indexed list, and a contentless full-text index.
 */
export function createStatements(declaration: CollectionDeclaration): string[] {
  const { name } = declaration
  const table = tableOf(name)
  const statements = [`CREATE TABLE ${table} (${tableParts(declaration).join(', ')})`]
  for (const [index, names] of scalarIndexes(declaration).entries()) {
    statements.push(`CREATE INDEX i${index}_${name} ON ${table} (${columnList(declaration, names)}, key)`)
  }
  for (const [index, names] of declaration.unique.entries()) {
    statements.push(`CREATE UNIQUE INDEX u${index}_${name} ON ${table} (${columnList(declaration, names)})`)
  }
  for (const index of declaration.references.keys()) {
    statements.push(`CREATE INDEX r${index}_${name} ON ${table} (${referenceOf(index)})`)
  }
  for (const column of indexedLists(declaration)) {
    statements.push(
      `CREATE TABLE ${listOf(name, column)} (element TEXT NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (element, record)) WITHOUT ROWID`,
      `CREATE INDEX ${listOf(name, column)}_record ON ${listOf(name, column)} (record)`,
    )
  }
  if (declaration.text !== null) {
    statements.push(
      `CREATE VIRTUAL TABLE ${textOf(name)} USING fts5(words, content='', contentless_delete=1, tokenize='ascii', detail='none')`,
    )
  }
  return statements
}

/** The statements that remove a collection. */
export function dropStatements(declaration: CollectionDeclaration): string[] {
  const { name } = declaration
  return [
    ...(declaration.text === null ? [] : [`DROP TABLE ${textOf(name)}`]),
    ...indexedLists(declaration).map((column) => `DROP TABLE ${listOf(name, column)}`),
    `DROP TABLE ${tableOf(name)}`,
  ]
}

function tableParts(declaration: CollectionDeclaration): string[] {
  return [
    'id INTEGER PRIMARY KEY',
    'key TEXT NOT NULL UNIQUE',
    'revision TEXT NOT NULL',
    'doc TEXT NOT NULL',
    ...declaration.columns.flatMap(({ type, required }, index) =>
      type === 'strings' ? [] : [`${columnOf(index)} ${TYPES[type]}${required ? ' NOT NULL' : ''}`],
    ),
    ...declaration.references.map(
      ({ collection }, index) =>
        `${referenceOf(index)} TEXT REFERENCES ${tableOf(collection)} (key) DEFERRABLE INITIALLY DEFERRED`,
    ),
  ]
}

/** Indexes of scalars, and of the creation time, by which records come unless asked otherwise. */
function scalarIndexes(declaration: CollectionDeclaration): (readonly string[])[] {
  const { createdAt, indexes } = declaration
  const scalar = indexes.filter((names) => names.every((name) => isScalar(declaration, columnIndex(declaration, name))))
  const hasCreatedAt = createdAt === null || scalar.some((names) => names.length === 1 && names[0] === createdAt)
  return hasCreatedAt ? scalar : [...scalar, [createdAt]]
}

function columnList(declaration: CollectionDeclaration, names: readonly string[]): string {
  return names.map((name) => columnOf(columnIndex(declaration, name))).join(', ')
}
