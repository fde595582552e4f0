import { guarded } from '../../errors/guard.js'
import { cloneJson } from '../../json/clone.js'
import { compareCodePoints, compareScalars } from '../../json/compare.js'
import type { JsonScalar } from '../../json/json-value.js'
import type { Operand, OrderTerm, QueryPlan, RecordWrite, StoredRecord } from '../backend.js'
import { sortValue } from '../cursor.js'
import { valueAt } from '../path.js'

/** A record in memory, with the values core extracted from it. Rows are never changed, only replaced. */
export type Row = RecordWrite

export function operandValue(row: Row, operand: Operand): unknown {
  if (operand.key) return row.key
  return operand.column === undefined ? valueAt(row.record, operand.path) : row.columns[operand.column]
}

function orderValue(row: Row, { operand }: OrderTerm): JsonScalar {
  return sortValue(operandValue(row, operand) as JsonScalar | undefined)
}

/** Compares rows in the order of a plan. */
export const rowOrder = guarded(
  'rowOrder',
  ({ order, keyDirection }: QueryPlan): ((a: Row, b: Row) => number) =>
    (a, b) => {
      for (const term of order) {
        const difference = compareScalars(orderValue(a, term), orderValue(b, term))
        if (difference !== 0) return term.direction === 'asc' ? difference : -difference
      }
      const difference = compareCodePoints(a.key, b.key)
      return keyDirection === 'asc' ? difference : -difference
    },
)

/** True if a row comes after the position of a cursor, in the order of the plan. */
export const isBehind = guarded('isBehind', (plan: QueryPlan): ((row: Row) => boolean) => {
  const { after, order, keyDirection } = plan
  if (after === undefined) return () => true
  return (row) => {
    for (const [index, term] of order.entries()) {
      const difference = compareScalars(orderValue(row, term), after.values[index] as JsonScalar)
      if (difference !== 0) return difference > 0 === (term.direction === 'asc')
    }
    const difference = compareCodePoints(row.key, after.key)
    return difference !== 0 && difference > 0 === (keyDirection === 'asc')
  }
})

/** The result for a caller: a copy of a row. */
export function toStored({ key, revision, record }: Row): StoredRecord {
  return { key, revision, record: cloneJson(record) }
}
