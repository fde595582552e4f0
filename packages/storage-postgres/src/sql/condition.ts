import type { Condition } from '@minions/core/storage'
import type { Table } from '../names.js'
import { type Access, accessTo, jsonOfType } from './operand.js'
import type { Parameters } from './statement.js'

const OPERATORS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

const COLUMN_TYPES = { string: 'text', number: 'float8', boolean: 'boolean' } as const

const JSON_TYPES = { string: 'text', number: 'numeric', boolean: 'boolean' } as const

type Scalar = string | number | boolean

/**
 * A condition as SQL. It may evaluate to NULL instead of false, as SQL does with missing values; only `not` would be
 * affected, so `not` tests whether it is true.
 */
export function conditionSql(table: Table, condition: Condition, parameters: Parameters): string {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionSql(table, part, parameters))
      if (parts.length === 0) return condition.op === 'and' ? 'true' : 'false'
      return `(${parts.join(condition.op === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return `((${conditionSql(table, condition.condition, parameters)}) IS NOT TRUE)`
    case 'isNull': {
      const access = accessTo(table, condition.operand, parameters)
      return access.kind === 'column'
        ? `${access.sql} IS NULL`
        : `coalesce(jsonb_typeof(${access.sql}), 'null') = 'null'`
    }
    case 'contains': {
      const access = accessTo(table, condition.operand, parameters)
      if (access.kind === 'column') return 'false'
      return `${access.sql} @> ${parameters.bind(JSON.stringify([condition.value]), 'jsonb')}`
    }
    case 'in':
      return isIn(accessTo(table, condition.operand, parameters), condition.values, parameters)
    default:
      return comparison(accessTo(table, condition.operand, parameters), condition.op, condition.value, parameters)
  }
}

function comparison(access: Access, op: keyof typeof OPERATORS, value: Scalar, parameters: Parameters): string {
  const type = typeof value as keyof typeof COLUMN_TYPES
  if (access.kind === 'column') {
    if (access.type !== type) return 'false'
    return `${access.sql} ${OPERATORS[op]} ${parameters.bind(value, COLUMN_TYPES[type])}`
  }
  // Equality of jsonb is equality of type and value; its sort order is not ours.
  if (op === 'eq') return `${access.sql} = ${parameters.bind(JSON.stringify(value), 'jsonb')}`
  return `${jsonOfType(access, type)} ${OPERATORS[op]} ${parameters.bind(value, JSON_TYPES[type])}`
}

/** All values are one parameter, so that their number does not change the statement. */
function isIn(access: Access, values: readonly Scalar[], parameters: Parameters): string {
  const [first] = values
  if (first === undefined) return 'false'
  const type = typeof first as keyof typeof COLUMN_TYPES
  if (access.kind === 'column') {
    return access.type === type ? `${access.sql} = ANY(${parameters.bind(values, `${COLUMN_TYPES[type]}[]`)})` : 'false'
  }
  const list = values.map((value) => JSON.stringify(value))
  return `${access.sql} = ANY(${parameters.bind(list, 'jsonb[]')})`
}
