import type { Condition, QueryPlan } from '@minions/core/storage'
import type { Table } from '../names.js'

/** How a declared index serves a query: it gives the order asked for, behind columns that all have one value. */
export interface ServingIndex {
  /**
   * Columns of the index that are null in every record asked for. Ordering by them first changes nothing, but only then
   * PostgreSQL sees that the index gives the order: it knows that a column compared by `=` is constant, and does not
   * know it of `IS NULL`.
   */
  readonly nulls: readonly string[]
  /** The index answers the whole query, so no other plan can be better, whatever the values are. */
  readonly complete: boolean
}

/** What the conditions that must all hold say of columns. */
interface Fixed {
  /** Columns that have one value. */
  readonly equal: number[]
  /** Columns that are null. */
  readonly nulls: number[]
  /** Number of conditions, also of those that say something else. */
  conditions: number
}

export function servingIndex({ indexes, columns: names }: Table, plan: QueryPlan): ServingIndex | undefined {
  const { order, keyDirection, where, words } = plan
  for (const { operand, direction } of order) {
    if (operand.column === undefined || direction !== keyDirection) return undefined
  }
  const fixed: Fixed = { equal: [], nulls: [], conditions: 0 }
  if (where) collect(where, fixed)
  // What words find is sorted, by as few columns as possible, unless an index narrows it down better.
  const sorts = words.length > 0 && fixed.equal.length === 0
  let best: readonly number[] | undefined
  for (const columns of indexes) {
    const prefix = columns.length - order.length
    const isBetter = best === undefined || (sorts ? columns.length < best.length : columns.length > best.length)
    if (prefix >= 0 && isBetter && serves(columns, prefix, plan, fixed)) best = columns
  }
  if (best === undefined) return undefined
  const length = best.length - order.length
  const nulls: string[] = []
  for (let at = 0; at < length; at += 1) {
    const column = best[at] as number
    if (fixed.nulls.includes(column)) nulls.push(`c.${names[column]}`)
  }
  return { nulls, complete: words.length === 0 && length === fixed.conditions }
}

/** Whether an index begins with fixed columns and goes on with those to order by. */
function serves(columns: readonly number[], prefix: number, { order }: QueryPlan, { equal, nulls }: Fixed): boolean {
  for (const [at, column] of columns.entries()) {
    if (
      at < prefix ? !equal.includes(column) && !nulls.includes(column) : order[at - prefix]?.operand.column !== column
    )
      return false
  }
  return true
}

function collect(condition: Condition, fixed: Fixed): void {
  if (condition.op === 'and') {
    for (const part of condition.conditions) collect(part, fixed)
    return
  }
  fixed.conditions += 1
  if (condition.op === 'eq' && condition.operand.column !== undefined) fixed.equal.push(condition.operand.column)
  if (condition.op === 'isNull' && condition.operand.column !== undefined) fixed.nulls.push(condition.operand.column)
}
