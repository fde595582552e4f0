import { getOrInsert } from '@minions/core/json'
import { type CollectionDeclaration, indexedLists, sqlNames, sqlPart } from '@minions/core/storage'

/** The store's own tables begin with an underscore, which no collection does. */
export const CATALOGUE = '_catalogue'

export const CHANGES = '_changes'

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/**
 * The name of an object that belongs to a collection's table, as SQL: `i0` (index), `u0` (unique), `r0` (reference), …
 */
export function partOf(collection: string, part: string): string {
  return quoted(sqlPart(collection, part))
}

/** A collection in the file, with its names as SQL. */
export class Table {
  readonly declaration: CollectionDeclaration
  readonly sql: string
  /** The rowid, by which auxiliary tables refer to a record. */
  readonly row: string
  readonly key: string
  readonly revision: string
  readonly doc: string
  /** In the order of the declaration; lists have no column. */
  readonly columns: readonly string[]
  readonly references: readonly string[]
  /** The full-text index; undefined when the collection has no text. */
  readonly text: string | undefined
  /** The tables of the elements of indexed lists, by the position of the column. */
  readonly lists: ReadonlyMap<number, string>

  constructor(declaration: CollectionDeclaration) {
    const names = sqlNames(declaration)
    const { name } = declaration
    this.declaration = declaration
    this.sql = quoted(names.table)
    this.row = quoted(names.row)
    this.key = quoted(names.key)
    this.revision = quoted(names.revision)
    this.doc = quoted(names.doc)
    this.columns = names.columns.map(quoted)
    this.references = names.references.map(quoted)
    this.text = declaration.text === null ? undefined : partOf(name, 'words')
    this.lists = new Map(indexedLists(declaration).map((column) => [column, partOf(name, `l${column}`)]))
  }

  /** The names of the scalar columns, as SQL, with their positions. */
  get scalars(): [position: number, sql: string][] {
    return [...this.columns.entries()].filter(([position]) => this.isScalar(position))
  }

  /** True for scalar columns, which have a column in the table; lists do not. */
  isScalar(column: number): boolean {
    return this.declaration.columns[column]?.type !== 'strings'
  }
}

const known = new WeakMap<CollectionDeclaration, Table>()

export function tableOf(declaration: CollectionDeclaration): Table {
  return getOrInsert(known, declaration, () => new Table(declaration))
}
