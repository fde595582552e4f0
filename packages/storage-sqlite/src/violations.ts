import { MinionsError } from '@minions/core'
import { type CollectionDeclaration, type RecordWrite, sqlPart } from '@minions/core/storage'
import type { Connection } from './connection.js'
import { quoted, type Table, tableOf } from './names.js'

/** A record violates a unique constraint; its columns are in SQLite's message. */
export function brokenUnique({ columns, declaration }: Table, key: string, cause: Error): Error {
  const { name, unique } = declaration
  const broken = Array.from(cause.message.matchAll(/\.([\p{L}\p{M}\p{N}_]+)/gu), ([, column]) => quoted(column ?? ''))
  const names = declaration.columns.map((column) => column.name).filter((_, at) => broken.includes(columns[at] ?? ''))
  const rule = unique.find((rule) => rule.length === names.length && rule.every((column) => names.includes(column)))
  return new MinionsError(
    'UNIQUE_VIOLATION',
    `Another record of "${name}" has the same ${names.join(', ')} as "${key}".`,
    { details: { collection: name, key, columns: rule ?? names }, cause },
  )
}

/** A record refers to a collection that does not exist yet; SQLite's message ends with the name of the constraint. */
export function missingCollection({ declaration, references }: Table, write: RecordWrite, cause: Error): Error {
  const index = references.findIndex((_, at) => cause.message.endsWith(sqlPart(declaration.name, `f${at}`)))
  return brokenReference(declaration, index, write.key, write.references[index], cause)
}

/** Determines which reference made a commit fail; SQLite itself does not tell. */
export function explainReference(
  connection: Connection,
  catalogue: ReadonlyMap<string, CollectionDeclaration>,
  cause: unknown,
): Error {
  for (const declaration of catalogue.values()) {
    const table = tableOf(declaration)
    for (const [index, { collection }] of declaration.references.entries()) {
      const target = catalogue.get(collection)
      if (!target) continue
      const other = tableOf(target)
      const column = `c.${table.references[index]}`
      const [key, missing] =
        connection.first(
          `SELECT c.${table.key}, ${column} FROM ${table.sql} c WHERE ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${other.sql} o WHERE o.${other.key} = ${column}) LIMIT 1`,
        ) ?? []
      if (key !== undefined) return brokenReference(declaration, index, key, missing, cause)
    }
  }
  return new MinionsError('REFERENCE_VIOLATION', 'A record refers to one that does not exist.', { cause })
}

/** The error of a dangling reference, by its position in the declaration. */
export function brokenReference(
  { name, references }: CollectionDeclaration,
  index: number,
  key: unknown,
  target: unknown,
  cause?: unknown,
): Error {
  const reference = references[index]?.collection
  return new MinionsError(
    'REFERENCE_VIOLATION',
    `"${key}" of "${name}" refers to "${target}" of "${reference}", which does not exist or is being removed.`,
    { details: { collection: name, key, reference, target }, cause },
  )
}
