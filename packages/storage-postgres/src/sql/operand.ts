import type { Operand, Path } from '@minions/core/storage'
import { escapeLiteral } from 'pg'
import type { Table } from '../names.js'
import type { Parameters } from './statement.js'

/** SQL access to the operand of a condition or an order. */
export type Access = ColumnAccess | JsonAccess

interface ColumnAccess {
  readonly kind: 'column'
  readonly sql: string
  readonly type: 'string' | 'number' | 'boolean'
  readonly required: boolean
}

export interface JsonAccess {
  readonly kind: 'json'
  /** The value as `jsonb`, NULL where there is none. */
  readonly sql: string
}

/** `c` is the table of the collection. */
export function accessTo(table: Table, operand: Operand, parameters: Parameters): Access {
  if (operand.key) return { kind: 'column', sql: `c.${table.key}`, type: 'string', required: true }
  const column = operand.column === undefined ? undefined : table.declaration.columns[operand.column]
  if (column && column.type !== 'strings') {
    return {
      kind: 'column',
      sql: `c.${table.columns[operand.column ?? 0]}`,
      type: column.type,
      required: column.required,
    }
  }
  // An index is used only for the exact expression it was created with, which has no parameters.
  if (column) return { kind: 'json', sql: literalPath(`c.${table.doc}`, operand.path) }
  const steps = operand.path.map((name) => ` -> ${parameters.bind(name, 'text')}`)
  return { kind: 'json', sql: `(c.${table.doc}${steps.join('')})` }
}

/** A path into a document. A step by name enters only objects, never arrays. */
export function literalPath(doc: string, path: Path): string {
  return `(${doc}${path.map((name) => ` -> ${escapeLiteral(name).trim()}::text`).join('')})`
}

/** The value if it has the type, else NULL. The cast is guarded, because SQL may evaluate conditions in any order. */
export function jsonOfType({ sql }: JsonAccess, type: 'string' | 'number' | 'boolean'): string {
  const value = { string: `(${sql} #>> '{}')`, number: `${sql}::numeric`, boolean: `${sql}::boolean` }[type]
  const typed = `CASE WHEN jsonb_typeof(${sql}) = '${type}' THEN ${value} END`
  return type === 'string' ? `(${typed}) COLLATE "C"` : `(${typed})`
}
