import { guarded } from '../errors/guard.js'
import { columnIndex } from './collection.js'
import type { CollectionDeclaration } from './declaration.js'

/** Positions of the columns of each ordered index: the declared ones, and one by creation time, the default order. */
export const orderedIndexes = guarded('orderedIndexes', orderedIndexesUnchecked, { checksInside: true })

function orderedIndexesUnchecked(declaration: CollectionDeclaration): number[][] {
  const { createdAt, indexes, columns } = declaration
  const hasCreatedAt = createdAt === null || indexes.some((names) => names.length === 1 && names[0] === createdAt)
  return [...indexes, ...(hasCreatedAt ? [] : [[createdAt]])]
    .map((names) => names.map((name) => columnIndex(declaration, name)))
    .filter((positions) => positions.every((position) => columns[position]?.type !== 'strings'))
}

/** Positions of the list columns that have an index. */
export const indexedLists = guarded('indexedLists', indexedListsUnchecked, { checksInside: true })

function indexedListsUnchecked({ columns, indexes }: CollectionDeclaration): number[] {
  const indexed = new Set(indexes.flat())
  return columns.flatMap(({ type, name }, index) => (type === 'strings' && indexed.has(name) ? [index] : []))
}
