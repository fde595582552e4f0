import type { CollectionDeclaration } from '@minions/core/storage'
import { createCatalogue, readCatalogue, storeDeclaration } from './catalogue.js'
import type { Connection } from './connection.js'
import { partOf, tableOf } from './names.js'
import { columnsOf, createTable, indexStatements, listIndexStatements } from './schema.js'

const CATALOGUE_1 = 'minions_catalogue'

/**
 * Renames everything in a file of layout 1 to the current names. There the table of a collection was `c_<collection>`,
 * its full-text index `t_<collection>`, the elements of its list at position n `l<n>_<collection>`, and columns and
 * references were numbered. All collections, including undeclared ones, keep their records, revisions and rowids.
 */
export function migrateFromLayout1(connection: Connection): void {
  const stored = readCatalogue(connection, CATALOGUE_1)
  const all = new Map([...stored].map(([name, declaration]) => [name, tableOf(declaration)]))
  connection.exec(`DROP TABLE ${CATALOGUE_1}`)
  createCatalogue(connection)
  // All of them first: a new name may be one that another collection had, such as `c_notes`.
  for (const declaration of stored.values()) setAside(connection, declaration)
  for (const declaration of stored.values()) {
    const table = tableOf(declaration)
    const aside = asideOf(declaration)
    for (const statement of [
      createTable(table, all),
      `INSERT INTO ${table.sql} (${columnsOf(table).join(', ')}) SELECT ${oldColumns(declaration).join(', ')} FROM ${aside}`,
      `DROP TABLE ${aside}`,
      ...indexStatements(table),
      ...listIndexStatements(table),
    ]) {
      connection.exec(statement)
    }
    storeDeclaration(connection, declaration)
  }
}

/** Removes all names of layout 1 from a collection. */
function setAside(connection: Connection, declaration: CollectionDeclaration): void {
  const { name } = declaration
  const { lists, text } = tableOf(declaration)
  const tables = [`c_${name}`, ...[...lists.keys()].map((column) => `l${column}_${name}`)]
  const indexes = connection.all(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (SELECT value FROM json_each(?))",
    JSON.stringify(tables),
  )
  for (const index of indexes) connection.exec(`DROP INDEX ${index}`)
  connection.exec(`ALTER TABLE c_${name} RENAME TO ${asideOf(declaration)}`)
  for (const [column, list] of lists) connection.exec(`ALTER TABLE l${column}_${name} RENAME TO ${list}`)
  if (text !== undefined) connection.exec(`ALTER TABLE t_${name} RENAME TO ${text}`)
}

function asideOf({ name }: CollectionDeclaration): string {
  return partOf(name, 'old')
}

/** In the order of `columnsOf`. */
function oldColumns({ columns, references }: CollectionDeclaration): string[] {
  const scalars = columns.flatMap(({ type }, index) => (type === 'strings' ? [] : [`column_${index}`]))
  return ['id', 'key', ...scalars, ...references.map((_, index) => `reference_${index}`), 'revision', 'doc']
}
