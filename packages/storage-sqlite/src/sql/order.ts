import type { JsonScalar } from '@minions/core/json'
import type { Direction, OrderTerm, QueryPlan } from '@minions/core/storage'
import type { Table } from '../names.js'
import { bindable, type Fragment, fragment, join } from './fragment.js'
import { accessTo, jsonArguments } from './operand.js'

/** One expression to sort by. SQLite sorts NULL before everything else, as we do. */
interface SortKey {
  readonly expression: Fragment
  readonly direction: Direction
  /** The value of the last record of the previous page. */
  readonly after: string | number | null
  /** Never NULL, so that an index can be entered at `after`. */
  readonly required: boolean
}

/** The ORDER BY clause, and the condition that continues after the cursor. */
export function orderSql(table: Table, plan: QueryPlan): { orderBy: Fragment; after?: Fragment } {
  const keys = plan.order.flatMap((term, index) => sortKeys(table, term, plan.after?.values[index] ?? null))
  keys.push({
    expression: fragment(`c.${table.key}`),
    direction: plan.keyDirection,
    after: plan.after?.key ?? null,
    required: true,
  })
  const terms = keys.map(({ expression, direction }) =>
    fragment(`${expression.sql} ${direction === 'asc' ? 'ASC' : 'DESC'}`, ...expression.values),
  )
  const orderBy = join(terms, ', ')
  return plan.after ? { orderBy, after: behind(keys) } : { orderBy }
}

function sortKeys(table: Table, { operand, direction }: OrderTerm, after: JsonScalar): SortKey[] {
  const access = accessTo(table, operand)
  if (access.kind === 'column') {
    const required = operand.key === true || table.declaration.columns[operand.column ?? -1]?.required === true
    const value = after === null ? null : bindable(after)
    return [{ expression: fragment(access.sql), direction, after: value, required }]
  }
  const { sql, values } = jsonArguments(access)
  const rank = `CASE json_type(${sql}) WHEN 'false' THEN 1 WHEN 'true' THEN 2 WHEN 'integer' THEN 3 WHEN 'real' THEN 3 WHEN 'text' THEN 4 ELSE 0 END`
  const value = `CASE WHEN json_type(${sql}) IN ('integer', 'real', 'text') THEN json_extract(${sql}) END`
  return [
    { expression: fragment(rank, ...values), direction, after: rankOf(after), required: true },
    {
      expression: fragment(value, ...values, ...values),
      direction,
      after: typeof after === 'boolean' ? null : after,
      required: false,
    },
  ]
}

function rankOf(value: JsonScalar): number {
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 2 : 1
  return typeof value === 'number' ? 3 : 4
}

/** After a position: greater in the first key, or equal there and greater in the next, and so on. */
function behind(keys: readonly SortKey[]): Fragment {
  const ways = keys.map((key, index) => {
    const equal = keys.slice(0, index).map(({ expression, after }) => compare(expression, 'IS ?', after))
    return join([...equal, beyond(key)], ' AND ')
  })
  const whole = { ...join(ways, ') OR ('), sql: `((${ways.map(({ sql }) => sql).join(') OR (')}))` }
  const [first] = keys
  // The same again, in a form that lets SQLite enter an index at the position.
  if (first === undefined || !first.required || first.after === null) return whole
  const bound = compare(first.expression, first.direction === 'asc' ? '>= ?' : '<= ?', first.after)
  return join([bound, whole], ' AND ')
}

function beyond({ expression, direction, after, required }: SortKey): Fragment {
  if (direction === 'asc') {
    return after === null
      ? fragment(`${expression.sql} IS NOT NULL`, ...expression.values)
      : compare(expression, '> ?', after)
  }
  if (after === null) return fragment('0')
  const smaller = compare(expression, '< ?', after)
  if (required) return smaller
  const missing = fragment(`${expression.sql} IS NULL`, ...expression.values)
  return { sql: `(${smaller.sql} OR ${missing.sql})`, values: [...smaller.values, ...missing.values] }
}

function compare(expression: Fragment, operator: string, value: string | number | null): Fragment {
  return fragment(`${expression.sql} ${operator}`, ...expression.values, value)
}
