import { getOrInsert } from '@minions/core/json'
import { type Condition, orderedIndexes, type QueryPlan } from '@minions/core/storage'
import type { Table } from '../names.js'

/**
 * True if the index that SQLite enters with the condition has the rows in the order of the query, so that reading stops at
 * the limit and nothing is sorted. SQLite enters the one with the most columns that the condition gives a value.
 */
export function isServedByIndex(table: Table, { order, where, words }: QueryPlan): boolean {
  if (words.length > 0) return false
  const [first] = order
  if (first === undefined || first.operand.key) return true
  const { column: ordered } = first.operand
  if (ordered === undefined) return false
  const bound = new Set(boundColumns(where))
  const entries = indexesOf(table).map((columns) => {
    const free = columns.findIndex((column) => !bound.has(column))
    return free === -1 ? { depth: columns.length, next: undefined } : { depth: free, next: columns[free] }
  })
  const deepest = Math.max(...entries.map(({ depth }) => depth))
  return entries.some(({ depth, next }) => depth === deepest && next === ordered)
}

/** Columns that have the same value in all rows that the condition lets through. */
function boundColumns(condition: Condition | undefined): readonly number[] {
  if (condition?.op === 'and') return condition.conditions.flatMap(boundColumns)
  const isBound = condition?.op === 'eq' || condition?.op === 'isNull'
  return isBound && condition.operand.column !== undefined ? [condition.operand.column] : []
}

const known = new WeakMap<Table, readonly (readonly number[])[]>()

function indexesOf(table: Table): readonly (readonly number[])[] {
  return getOrInsert(known, table, () => orderedIndexes(table.declaration))
}
