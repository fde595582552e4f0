import type { CollectionDeclaration } from '@minions/core'

/** Names of tables and columns. Collection names are lower-case letters, digits and underscores, so they need no quoting. */
export const CATALOGUE = 'minions_catalogue'

export const tableOf = (collection: string): string => `c_${collection}`

/** The full-text index, with the rowid of the record. */
export const textOf = (collection: string): string => `t_${collection}`

/** The elements of an indexed list column, with the rowid of the record. */
export const listOf = (collection: string, column: number): string => `l${column}_${collection}`

export const columnOf = (column: number): string => `column_${column}`

export const referenceOf = (reference: number): string => `reference_${reference}`

/** Scalar columns have a column of their own in the table; lists do not. */
export function isScalar(declaration: CollectionDeclaration, column: number): boolean {
  return declaration.columns[column]?.type !== 'strings'
}

/** Positions of the list columns that have an index. */
export function indexedLists(declaration: CollectionDeclaration): number[] {
  const indexed = new Set(declaration.indexes.flat())
  return declaration.columns.flatMap((column, index) =>
    column.type === 'strings' && indexed.has(column.name) ? [index] : [],
  )
}
