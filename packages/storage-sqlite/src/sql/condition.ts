import type { Condition } from '@minions/core/storage'
import type { Table } from '../names.js'
import { bindable, combine, type Fragment, fragment } from './fragment.js'
import { type Access, accessTo, jsonArguments } from './operand.js'

const OPERATORS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Names that json_type returns for values of each JavaScript type. */
const JSON_TYPES = { string: "('text')", number: "('integer', 'real')", boolean: "('true', 'false')" } as const

const FALSE = fragment('0')

/**
 * A condition as SQL. It may evaluate to NULL instead of false, as SQL does with missing values; only `not` would be
 * affected, so `not` coerces it to false first.
 */
export function conditionSql(table: Table, condition: Condition): Fragment {
  switch (condition.op) {
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((part) => conditionSql(table, part))
      return combine(parts, condition.op === 'and' ? 'AND' : 'OR')
    }
    case 'not': {
      const { sql, values } = conditionSql(table, condition.condition)
      return { sql: `NOT IFNULL(${sql}, 0)`, values }
    }
    case 'isNull':
      return isNull(accessTo(table, condition.operand))
    case 'contains':
      return contains(table, condition)
    case 'in':
      return isIn(accessTo(table, condition.operand), condition.values)
    default: {
      const test = `${OPERATORS[condition.op]} ?`
      return comparison(accessTo(table, condition.operand), condition.value, test, bindable(condition.value))
    }
  }
}

function isNull(access: Access): Fragment {
  if (access.kind === 'column') return fragment(`${access.sql} IS NULL`)
  const { sql, values } = jsonArguments(access)
  return fragment(`IFNULL(json_type(${sql}), 'null') = 'null'`, ...values)
}

/** Compares with values of the type of `like`: `test` has one placeholder, for `bound`. */
function comparison(access: Access, like: string | number | boolean, test: string, bound: string | number): Fragment {
  const type = typeof like as keyof typeof JSON_TYPES
  if (access.kind === 'column') return access.type === type ? fragment(`${access.sql} ${test}`, bound) : FALSE
  const { sql, values } = jsonArguments(access)
  const typed = `json_type(${sql}) IN ${JSON_TYPES[type]} AND json_extract(${sql}) ${test}`
  return fragment(`(${typed})`, ...values, ...values, bound)
}

/** Long lists are passed as one JSON string, so that their length does not change the statement. */
function isIn(access: Access, list: readonly (string | number | boolean)[]): Fragment {
  const [first] = list
  if (first === undefined) return FALSE
  return comparison(access, first, 'IN (SELECT value FROM json_each(?))', JSON.stringify(list.map(bindable)))
}

type Contains = Extract<Condition, { op: 'contains' }>

function contains(table: Table, { operand, value }: Contains): Fragment {
  const access = accessTo(table, operand)
  if (access.kind === 'column') return FALSE
  const list = table.lists.get(operand.column ?? -1)
  if (list !== undefined) {
    if (typeof value !== 'string') return FALSE
    return fragment(`c.${table.row} IN (SELECT record FROM ${list} WHERE element = ?)`, value)
  }
  const { sql, values } = jsonArguments(access)
  const element =
    value === null
      ? fragment("type = 'null'")
      : fragment(`type IN ${JSON_TYPES[typeof value as keyof typeof JSON_TYPES]} AND atom = ?`, bindable(value))
  return fragment(
    `(json_type(${sql}) = 'array' AND EXISTS (SELECT 1 FROM json_each(${sql}) WHERE ${element.sql}))`,
    ...values,
    ...values,
    ...element.values,
  )
}
