import { guarded } from '../../errors/guard.js'
import { compareScalars } from '../../json/compare.js'
import type { JsonScalar } from '../../json/json-value.js'
import type { Condition, Selection } from '../backend.js'
import { operandValue, type Row } from './row.js'

/** Compiles a selection to a predicate. */
export const matcher = guarded('matcher', ({ where, words }: Selection): ((row: Row) => boolean) => {
  const matches = where ? compile(where) : () => true
  if (words.length === 0) return matches
  return (row) => matches(row) && words.every((prefix) => row.words.some((word) => word.startsWith(prefix)))
})

function compile(condition: Condition): (row: Row) => boolean {
  switch (condition.op) {
    case 'and': {
      const parts = condition.conditions.map(compile)
      return (row) => parts.every((part) => part(row))
    }
    case 'or': {
      const parts = condition.conditions.map(compile)
      return (row) => parts.some((part) => part(row))
    }
    case 'not': {
      const part = compile(condition.condition)
      return (row) => !part(row)
    }
    case 'isNull': {
      const { operand } = condition
      return (row) => (operandValue(row, operand) ?? null) === null
    }
    case 'contains': {
      const { operand, value } = condition
      return (row) => {
        const list = operandValue(row, operand)
        return Array.isArray(list) && list.includes(value)
      }
    }
    case 'in': {
      const { operand } = condition
      const values = new Set<unknown>(condition.values)
      return (row) => values.has(operandValue(row, operand))
    }
    default:
      return compileComparison(condition)
  }
}

type Comparison = Extract<Condition, { op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' }>

/** A comparison is true only of values of its own type. */
function compileComparison({ op, operand, value }: Comparison): (row: Row) => boolean {
  if (op === 'eq') return (row) => operandValue(row, operand) === value
  const type = typeof value
  const holds = {
    ne: (difference: number) => difference !== 0,
    gt: (difference: number) => difference > 0,
    gte: (difference: number) => difference >= 0,
    lt: (difference: number) => difference < 0,
    lte: (difference: number) => difference <= 0,
  }[op]
  return (row) => {
    const own = operandValue(row, operand)
    return typeof own === type && holds(compareScalars(own as JsonScalar, value))
  }
}
