import type { QueryPlan, Selection } from '@minions/core/storage'
import { VERSION } from '../feed.js'
import type { Table } from '../names.js'
import { conditionSql } from './condition.js'
import { type Fragment, fragment, join } from './fragment.js'
import { orderSql } from './order.js'
import { isServedByIndex } from './served-order.js'

/** Revision and document as one string: a row with one value is read twice as fast as one with three. */
const stored = ({ revision, doc }: Table) => `c.${revision} || char(10) || c.${doc}`

export function getSql(table: Table): string {
  return `SELECT ${stored(table)} FROM ${table.sql} c WHERE c.${table.key} = ?`
}

/** The version of the data in front: read along, it takes a fifth of the time of a statement of its own. */
export function getVersionedSql(table: Table): string {
  return `SELECT (${VERSION}) || char(10) || ${stored(table)} FROM ${table.sql} c WHERE c.${table.key} = ?`
}

/**
 * The records that a query finds. Where no index has them in their order, only row numbers are sorted, and the documents of
 * those within the limit are read afterwards: sorted along, each document would be copied.
 */
export function querySql(table: Table, plan: QueryPlan): Fragment {
  const { orderBy, after } = orderSql(table, plan)
  const { sql, values } = fromSql(table, plan, after)
  // The limit is a validated number, and SQLite is faster with a literal.
  const ordered = `${sql} ORDER BY ${orderBy.sql} LIMIT ${plan.limit}`
  if (isServedByIndex(table, plan)) {
    return { sql: `SELECT ${stored(table)} ${ordered}`, values: [...values, ...orderBy.values] }
  }
  const rows = `SELECT c.${table.row} ${ordered}`
  return {
    sql: `SELECT ${stored(table)} FROM ${table.sql} c WHERE c.${table.row} IN (${rows}) ORDER BY ${orderBy.sql}`,
    values: [...values, ...orderBy.values, ...orderBy.values],
  }
}

export function countSql(table: Table, selection: Selection): Fragment {
  const { sql, values } = fromSql(table, selection)
  return { sql: `SELECT count(*) ${sql}`, values }
}

function fromSql(table: Table, { where, words }: Selection, after?: Fragment): Fragment {
  const conditions: Fragment[] = []
  let from = `FROM ${table.sql} c`
  if (words.length > 0 && table.text !== undefined) {
    from = `FROM ${table.text} t JOIN ${table.sql} c ON c.${table.row} = t.rowid`
    conditions.push(fragment(`t.${table.text} MATCH ?`, words.map((word) => `"${word}"*`).join(' AND ')))
  } else if (words.length > 0) conditions.push(fragment('0'))
  if (where) conditions.push(conditionSql(table, where))
  if (after) conditions.push(after)
  if (conditions.length === 0) return fragment(from)
  const { sql, values } = join(conditions, ' AND ')
  return { sql: `${from} WHERE ${sql}`, values }
}
