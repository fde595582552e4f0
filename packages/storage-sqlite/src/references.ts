import { type CollectionDeclaration, MinionsError } from '@minions/core'
import type { Connection } from './connection.js'
import { referenceOf, tableOf } from './names.js'

/** Finds out which reference made a commit fail; SQLite itself does not say. */
export function explainReference(
  connection: Connection,
  catalogue: ReadonlyMap<string, CollectionDeclaration>,
  cause: unknown,
): Error {
  for (const { name, references } of catalogue.values()) {
    for (const [index, { collection }] of references.entries()) {
      const column = referenceOf(index)
      const [key, target] =
        connection.first(
          `SELECT c.key, c.${column} FROM ${tableOf(name)} c WHERE c.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${tableOf(collection)} o WHERE o.key = c.${column}) LIMIT 1`,
        ) ?? []
      if (key === undefined) continue
      return new MinionsError(
        'REFERENCE_VIOLATION',
        `"${key}" of "${name}" refers to "${target}" of "${collection}", which does not exist or is being removed.`,
        { details: { collection: name, key, reference: collection, target }, cause },
      )
    }
  }
  return new MinionsError('REFERENCE_VIOLATION', 'A record refers to one that does not exist.', { cause })
}
