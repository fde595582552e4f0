import { type CollectionDeclaration, orderedIndexes, sqlNames, sqlPart } from '@minions/core/storage'
import { escapeIdentifier } from 'pg'

/** Begins with an underscore, which no collection can. */
export const CATALOGUE = '_catalogue'

/** The change feed, and its overall state. */
export const CHANGES = '_changes'
export const FEED = '_feed'

export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
}

/** A collection in the database, with its names as SQL. */
export class Table {
  readonly schema: string
  readonly declaration: CollectionDeclaration
  readonly name: string
  /** The name with its schema, as SQL. */
  readonly sql: string
  readonly key: string
  readonly revision: string
  readonly doc: string
  /** In the order of the declaration; lists have no column. */
  readonly columns: readonly string[]
  readonly references: readonly string[]
  /** The column of folded words; undefined when the collection has no text. */
  readonly words: string | undefined
  /** Positions of the columns of each ordered index. */
  readonly indexes: readonly (readonly number[])[]

  constructor(schema: string, declaration: CollectionDeclaration) {
    const names = sqlNames(declaration)
    this.schema = schema
    this.declaration = declaration
    this.name = names.table
    this.sql = qualified(schema, names.table)
    this.key = escapeIdentifier(names.key)
    this.revision = escapeIdentifier(names.revision)
    this.doc = escapeIdentifier(names.doc)
    this.columns = names.columns.map(escapeIdentifier)
    this.references = names.references.map(escapeIdentifier)
    this.words = declaration.text === null ? undefined : escapeIdentifier(names.words)
    this.indexes = orderedIndexes(declaration)
  }

  /** The name of an index or constraint: `key`, `i0` (index), `u0` (unique), `f0` (reference), `r0` (referrers), `words`. */
  part(name: string): string {
    return sqlPart(this.declaration.name, name)
  }
}
