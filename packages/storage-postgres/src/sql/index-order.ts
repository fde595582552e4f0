import type { Condition, QueryPlan } from '@minions/core/storage'
import type { Table } from '../names.js'

/** Use of a declared index for a query: it provides the requested order, after columns that all have one value. */
export interface ServingIndex {
  /**
   * Columns of the index that are null in every selected record. Ordering by them first changes nothing, but only then
   * does PostgreSQL see that the index provides the order: it treats a column compared by `=` as constant, but not one
   * with `IS NULL`.
   */
  readonly nulls: readonly string[]
  /** The index covers the whole query, so no other plan can be better, whatever the values are. */
  readonly complete: boolean
}

/** The constraints on columns implied by the conditions that must all hold. */
interface Fixed {
  /** Columns with a single value. */
  readonly equal: number[]
  /** Columns that are null. */
  readonly nulls: number[]
  /** Number of conditions, including unrelated ones. */
  conditions: number
}

export function servingIndex({ indexes, columns: names }: Table, plan: QueryPlan): ServingIndex | undefined {
  const { order, keyDirection, where, words } = plan
  for (const { operand, direction } of order) {
    if (operand.column === undefined || direction !== keyDirection) return undefined
  }
  const fixed: Fixed = { equal: [], nulls: [], conditions: 0 }
  if (where) collect(where, fixed)
  // Rows found by words are sorted, by as few columns as possible, unless an index is more selective.
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

/** True if an index begins with fixed columns and continues with those to order by. */
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
