import type { JsonScalar } from '@minions/core/json'
import type { Direction, OrderTerm, QueryPlan } from '@minions/core/storage'
import type { Table } from '../names.js'
import { accessTo, jsonOfType } from './operand.js'
import type { Parameters } from './statement.js'

/** One expression to sort by. */
interface SortKey {
  readonly sql: string
  readonly direction: Direction
  readonly type: 'text' | 'float8' | 'numeric' | 'boolean' | 'int'
  /** The value of the last record of the previous page. */
  readonly after: JsonScalar
  /** Never NULL. */
  readonly required: boolean
}

const COLUMN_TYPES = { string: 'text', number: 'float8', boolean: 'boolean' } as const

/**
 * The ORDER BY clause, and the condition that continues after the cursor. `nulls` are columns to list first that are
 * null everywhere.
 */
export function orderSql(
  table: Table,
  plan: QueryPlan,
  nulls: readonly string[],
  parameters: Parameters,
): { orderBy: string; after?: string } {
  const keys: SortKey[] = []
  for (const [index, term] of plan.order.entries()) {
    keys.push(...sortKeys(table, term, plan.after?.values[index] ?? null, parameters))
    // Keys are unique, so later terms decide nothing.
    if (term.operand.key) break
  }
  if (!plan.order.some(({ operand }) => operand.key)) {
    const after = plan.after?.key ?? null
    keys.push({ sql: `c.${table.key}`, direction: plan.keyDirection, type: 'text', after, required: true })
  }
  const constant = nulls.map((sql) => ({ sql, direction: plan.keyDirection }))
  const orderBy = [...constant, ...keys].map((key) => orderTerm(table, key)).join(', ')
  return plan.after ? { orderBy, after: behind(keys, parameters) } : { orderBy }
}

/** Nulls first; omitted for columns without nulls, as in the indexes of the key. */
function orderTerm(table: Table, { sql, direction }: Pick<SortKey, 'sql' | 'direction'>): string {
  if (sql === `c.${table.key}`) return `${sql} ${direction === 'asc' ? 'ASC' : 'DESC'}`
  return direction === 'asc' ? `${sql} ASC NULLS FIRST` : `${sql} DESC NULLS LAST`
}

function sortKeys(
  table: Table,
  { operand, direction }: OrderTerm,
  after: JsonScalar,
  parameters: Parameters,
): SortKey[] {
  const access = accessTo(table, operand, parameters)
  if (access.kind === 'column') {
    const { sql, required, type } = access
    return [{ sql, direction, type: COLUMN_TYPES[type], after, required }]
  }
  const rank = `CASE jsonb_typeof(${access.sql}) WHEN 'boolean' THEN CASE WHEN ${access.sql}::boolean THEN 2 ELSE 1 END WHEN 'number' THEN 3 WHEN 'string' THEN 4 ELSE 0 END`
  const base = { direction, required: true } as const
  return [
    { ...base, sql: `(${rank})`, type: 'int', after: rankOf(after) },
    {
      ...base,
      sql: `coalesce(${jsonOfType(access, 'number')}, 0)`,
      type: 'numeric',
      after: typeof after === 'number' ? after : 0,
    },
    {
      ...base,
      sql: `coalesce(${jsonOfType(access, 'string')}, '')`,
      type: 'text',
      after: typeof after === 'string' ? after : '',
    },
  ]
}

function rankOf(value: JsonScalar): number {
  if (value === null) return 0
  if (typeof value === 'boolean') return value ? 2 : 1
  return typeof value === 'number' ? 3 : 4
}

/** After a position: beyond it in the first key, or equal there and beyond it in the next, and so on. */
function behind(keys: readonly SortKey[], parameters: Parameters): string {
  const values = keys.map(({ after, type }) => (after === null ? 'NULL' : parameters.bind(after, type)))
  const [first] = keys
  const oneWay = keys.every(({ direction }) => direction === first?.direction)
  // A row comparison does exactly that, and can enter an index. Ascending, the values it treats as unknown are nulls:
  // those come before.
  if (oneWay && keys.every(({ required, after, direction }) => after !== null && (required || direction === 'asc'))) {
    const operator = first?.direction === 'asc' ? '>' : '<'
    return `ROW(${keys.map(({ sql }) => sql).join(', ')}) ${operator} ROW(${values.join(', ')})`
  }
  const ways = keys.map((key, index) => {
    const equal = keys.slice(0, index).map(({ sql }, at) => `${sql} IS NOT DISTINCT FROM ${values[at]}`)
    return [...equal, beyond(key, values[index] ?? 'NULL')].join(' AND ')
  })
  return `((${ways.join(') OR (')}))`
}

function beyond({ sql, direction, after, required }: SortKey, value: string): string {
  if (direction === 'asc') return after === null ? `${sql} IS NOT NULL` : `${sql} > ${value}`
  if (after === null) return 'false'
  return required ? `${sql} < ${value}` : `(${sql} < ${value} OR ${sql} IS NULL)`
}
