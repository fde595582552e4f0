import { type CollectionDeclaration, formatPath, type Operand } from '@minions/core'
import { columnOf, isScalar } from '../names.js'

/** What SQL can say of the value that a condition or an order looks at. */
export type Access =
  /** A typed column. */
  | { readonly kind: 'column'; readonly sql: string; readonly type: 'string' | 'number' | 'boolean' }
  /** A place in the document: `doc` and `path` are what SQLite's JSON functions take. */
  | { readonly kind: 'json'; readonly doc: string; readonly path: string; readonly docPath: string | undefined }

/** Operands are made once for each declaration and name, so what was found for one is true as long as there is one. */
const known = new WeakMap<Operand, Access>()

export function accessTo(declaration: CollectionDeclaration, operand: Operand): Access {
  let access = known.get(operand)
  if (access === undefined) {
    access = findAccess(declaration, operand)
    known.set(operand, access)
  }
  return access
}

function findAccess(declaration: CollectionDeclaration, operand: Operand): Access {
  if (operand.key) return { kind: 'column', sql: 'c.key', type: 'string' }
  const { column } = operand
  if (column !== undefined && isScalar(declaration, column)) {
    const type = declaration.columns[column]?.type as 'string' | 'number' | 'boolean'
    return { kind: 'column', sql: `c.${columnOf(column)}`, type }
  }
  return operand.path.every(isPlainName)
    ? { kind: 'json', doc: 'c.doc', path: `$${operand.path.map((name) => `."${name}"`).join('')}`, docPath: undefined }
    : { kind: 'json', doc: 'minions_at(c.doc, ?)', path: '$', docPath: formatPath(operand.path) }
}

/** The arguments of a JSON function at this place, as SQL and as values. */
export function jsonArguments(access: Extract<Access, { kind: 'json' }>): { sql: string; values: string[] } {
  const values = access.docPath === undefined ? [access.path] : [access.docPath, access.path]
  return { sql: `${access.doc}, ?`, values }
}

/** SQLite's paths cannot escape quotes, backslashes and control characters inside a name. */
function isPlainName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the pattern is about
  return name !== '' && !/["\\\u0000-\u001f\u007f]/.test(name)
}
