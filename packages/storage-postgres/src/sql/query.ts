import type { QueryPlan, Selection } from '@minions/core/storage'
import type { Table } from '../names.js'
import { conditionSql } from './condition.js'
import { servingIndex } from './index-order.js'
import { orderSql } from './order.js'
import { Parameters, type Statement } from './statement.js'

/**
 * The snapshot as the version of the data: it changes with every commit. A long one, with many transactions under way,
 * is not worth sending with every row.
 */
const VERSION = '(SELECT CASE WHEN length(pg_current_snapshot()::text) < 50 THEN pg_current_snapshot()::text END)'

/** Records by key, in no order. */
export function getStatement(table: Table, keys: readonly string[]): Statement {
  const select = `SELECT ${table.key}, ${table.revision}, ${table.doc}, ${VERSION} FROM ${table.sql} WHERE ${table.key} =`
  return keys.length === 1
    ? { text: `${select} $1`, values: [keys[0]], prepared: true }
    : { text: `${select} ANY($1::text[])`, values: [keys], prepared: true }
}

export function queryStatement(table: Table, plan: QueryPlan): Statement {
  const parameters = new Parameters()
  const index = servingIndex(table, plan)
  const { orderBy, after } = orderSql(table, plan, index?.nulls ?? [], parameters)
  const where = whereSql(table, plan, parameters, after)
  // A cached plan must know the limit, or it is made for a tenth of all records.
  const limit = index?.complete ? String(Number(plan.limit)) : parameters.bind(plan.limit, 'int')
  return {
    text: `SELECT c.${table.key}, c.${table.revision}, c.${table.doc}, ${VERSION} FROM ${table.sql} c${where} ORDER BY ${orderBy} LIMIT ${limit}`,
    values: parameters.values,
    ...(index?.complete && { prepared: true }),
  }
}

export function countStatement(table: Table, selection: Selection): Statement {
  const parameters = new Parameters()
  const where = whereSql(table, selection, parameters)
  // The revision column is not read, but must exist: see `SqlNames.revision`.
  return {
    text: `SELECT count(*) FROM (SELECT c.${table.revision} FROM ${table.sql} c${where}) c`,
    values: parameters.values,
  }
}

function whereSql(table: Table, { where, words }: Selection, parameters: Parameters, after?: string): string {
  const conditions: string[] = []
  if (words.length > 0) conditions.push(`${searched(table)} @@ ${parameters.bind(tsquery(words), 'tsquery')}`)
  if (where) conditions.push(conditionSql(table, where, parameters))
  if (after !== undefined) conditions.push(after)
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** A collection without text has no words. */
function searched({ words }: Table): string {
  return words ? `c.${words}` : "''::tsvector"
}

/** All words, each as a prefix. Quoted, so that nothing in a word is an operator. */
function tsquery(words: readonly string[]): string {
  return words.map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`).join(' & ')
}
