import type { CollectionDeclaration, QueryPlan, Selection } from '@minions/core'
import { tableOf, textOf } from '../names.js'
import { conditionSql } from './condition.js'
import { type Fragment, fragment, join } from './fragment.js'
import { orderSql } from './order.js'

/** Revision and document as one text: a row with one value is read twice as fast as one with three. */
export const STORED = 'c.revision || char(10) || c.doc'

/** The records that answer a question, each as `STORED`. */
export function querySql(declaration: CollectionDeclaration, plan: QueryPlan): Fragment {
  const { orderBy, after } = orderSql(declaration, plan)
  const from = fromSql(declaration, plan, after)
  // The limit is a checked number, and SQLite is faster when it knows it.
  return {
    sql: `SELECT ${STORED} ${from.sql} ORDER BY ${orderBy.sql} LIMIT ${plan.limit}`,
    values: [...from.values, ...orderBy.values],
  }
}

export function countSql(declaration: CollectionDeclaration, selection: Selection): Fragment {
  const { sql, values } = fromSql(declaration, selection)
  return { sql: `SELECT count(*) ${sql}`, values }
}

function fromSql(declaration: CollectionDeclaration, { where, words }: Selection, after?: Fragment): Fragment {
  const conditions: Fragment[] = []
  let from = `FROM ${tableOf(declaration.name)} c`
  if (words.length > 0) {
    const text = textOf(declaration.name)
    from = `FROM ${text} JOIN ${tableOf(declaration.name)} c ON c.id = ${text}.rowid`
    conditions.push(fragment(`${text} MATCH ?`, words.map((word) => `"${word}"*`).join(' AND ')))
  }
  if (where) conditions.push(conditionSql(declaration, where))
  if (after) conditions.push(after)
  if (conditions.length === 0) return fragment(from)
  const { sql, values } = join(conditions, ' AND ')
  return { sql: `${from} WHERE ${sql}`, values }
}
