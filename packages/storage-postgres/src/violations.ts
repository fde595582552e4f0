import { isMinionsError, MinionsError } from '@minions/core'
import type { RecordWrite } from '@minions/core/storage'
import { sqlState } from './errors.js'
import type { Executor } from './executor.js'
import type { Table } from './names.js'

/** PostgreSQL's report of a violated constraint. */
interface ConstraintError {
  readonly constraint?: string
  readonly detail?: string
}

/** The violation of a write, if the error names a constraint; undefined for other errors. */
export function explainWrite(error: unknown, table: Table, writes: readonly RecordWrite[]): Error | undefined {
  const cause = isMinionsError(error) ? error.cause : error
  const state = sqlState(cause)
  if (state === '23505') return brokenUnique(cause as ConstraintError, table, writes)
  if (state !== '23514') return undefined
  const { constraint } = cause as ConstraintError
  const index = table.declaration.references.findIndex((_, position) => table.part(`f${position}`) === constraint)
  const culprit = writes.find(({ references }) => (references[index] ?? null) !== null)
  return brokenReference(table, index, culprit?.key, culprit?.references[index] ?? undefined, cause)
}

function brokenUnique(cause: ConstraintError, table: Table, writes: readonly RecordWrite[]): Error {
  const { constraint, detail = '' } = cause
  const { name, unique, columns } = table.declaration
  const rule = unique.find((_, index) => table.part(`u${index}`) === constraint) ?? []
  const positions = rule.map((column) => columns.findIndex((candidate) => candidate.name === column))
  const culprit =
    writes.find((write) => detail.includes(`=(${positions.map((at) => shown(write.columns[at])).join(', ')})`)) ??
    (writes.length === 1 ? writes[0] : undefined)
  const who = culprit ? `"${culprit.key}"` : 'one of the written ones'
  const message = `Another record of "${name}" has the same ${rule.join(', ')} as ${who}.`
  return new MinionsError('UNIQUE_VIOLATION', message, {
    details: { collection: name, key: culprit?.key ?? null, columns: rule },
    cause,
  })
}

/** A dangling reference; `key` is its source and `target` its target, if known. */
export function brokenReference(
  { declaration }: Table,
  index: number,
  key: string | undefined,
  target: string | undefined,
  cause?: unknown,
): Error {
  const { name } = declaration
  const reference = declaration.references[index]?.collection
  const message = `${key === undefined ? 'A record' : `"${key}"`} of "${name}" refers to ${target === undefined ? 'a record' : `"${target}"`} of "${reference}", which does not exist or is being removed.`
  return new MinionsError('REFERENCE_VIOLATION', message, {
    details: { collection: name, key: key ?? null, reference, target: target ?? null },
    cause,
  })
}

/** The format of values in PostgreSQL error details. */
function shown(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 't' : 'f') : String(value)
}

/** The references that a transaction wrote, from source to target. */
export class WrittenReferences {
  readonly #keys = new Map<string, string>()

  note(table: Table, { key, references }: RecordWrite): void {
    for (const [index, target] of references.entries()) {
      if (target !== null) this.#keys.set(`${table.part(`f${index}`)} ${target}`, key)
    }
  }

  find(constraint: string, target: string): string | undefined {
    return this.#keys.get(`${constraint} ${target}`)
  }
}

/** The reference that a commit violated; undefined for other errors. Queries outside the failed transaction. */
export async function explainCommit(
  cause: unknown,
  tables: Iterable<Table>,
  written: WrittenReferences,
  executor: Executor,
): Promise<Error | undefined> {
  if (sqlState(cause) !== '23503') return undefined
  const { constraint = '', detail = '' } = cause as ConstraintError
  // A column precedes the value and a table follows it: parentheses between them belong to the value.
  const target = /\)=\((.*)\)/s.exec(detail)?.[1]
  for (const table of tables) {
    const index = table.declaration.references.findIndex((_, position) => table.part(`f${position}`) === constraint)
    if (index < 0) continue
    if (target === undefined) return brokenReference(table, index, undefined, undefined, cause)
    const key = written.find(constraint, target) ?? (await referrer(table, index, target, executor))
    return brokenReference(table, index, key, target, cause)
  }
  return new MinionsError('REFERENCE_VIOLATION', 'A record refers to one that does not exist.', { cause })
}

async function referrer(
  table: Table,
  reference: number,
  target: string,
  executor: Executor,
): Promise<string | undefined> {
  const text = `SELECT ${table.key} FROM ${table.sql} WHERE ${table.references[reference]} = $1 ORDER BY ${table.key} LIMIT 1`
  const { rows } = await executor.run({ text, values: [target] }).catch(() => ({ rows: [] }))
  return rows[0]?.[0] ?? undefined
}
