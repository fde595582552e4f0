import { getOrInsert } from '@minions/core/json'
import { formatPath, type Operand } from '@minions/core/storage'
import type { Table } from '../names.js'

/** SQL access to the operand of a condition or an order. */
export type Access =
  /** A typed column. */
  | { readonly kind: 'column'; readonly sql: string; readonly type: 'string' | 'number' | 'boolean' }
  /** A location in the document: `doc` and `path` are arguments of SQLite's JSON functions. */
  | { readonly kind: 'json'; readonly doc: string; readonly path: string; readonly docPath: string | undefined }

/** Operands are created once for each declaration and name, so results can be cached for their lifetime. */
const known = new WeakMap<Operand, Access>()

export function accessTo(table: Table, operand: Operand): Access {
  return getOrInsert(known, operand, () => findAccess(table, operand))
}

function findAccess(table: Table, operand: Operand): Access {
  if (operand.key) return { kind: 'column', sql: `c.${table.key}`, type: 'string' }
  const { column } = operand
  if (column !== undefined && table.isScalar(column)) {
    const type = table.declaration.columns[column]?.type as 'string' | 'number' | 'boolean'
    return { kind: 'column', sql: `c.${table.columns[column]}`, type }
  }
  const doc = `c.${table.doc}`
  return operand.path.every(isPlainName)
    ? { kind: 'json', doc, path: `$${operand.path.map((name) => `."${name}"`).join('')}`, docPath: undefined }
    : { kind: 'json', doc: `minions_at(${doc}, ?)`, path: '$', docPath: formatPath(operand.path) }
}

/** The arguments of a JSON function at this location, as SQL and as values. */
export function jsonArguments(access: Extract<Access, { kind: 'json' }>): { sql: string; values: string[] } {
  const values = access.docPath === undefined ? [access.path] : [access.docPath, access.path]
  return { sql: `${access.doc}, ?`, values }
}

/** SQLite's paths cannot escape quotes, backslashes and control characters inside a name. */
function isPlainName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about
  return name !== '' && !/["\\\u0000-\u001f\u007f]/.test(name)
}
