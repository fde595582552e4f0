import type { Collection, CollectionDeclaration, NotedChanges } from '@minions/core/storage'
import type { Connection } from './connection.js'
import { type Table, tableOf } from './names.js'
import { brokenReference } from './violations.js'

type Collections = ReadonlyMap<string, Collection>

/**
 * Checks the references of what a transaction has changed. SQLite does so at commit, which is too late for transactions
 * that share one: a later one may have created the target, which must not have been visible before.
 */
export function checkReferences(
  connection: Connection,
  collections: Collections,
  changes: readonly NotedChanges[],
): void {
  for (const { collection, entries } of changes) {
    const { declaration } = collections.get(collection) as Collection
    for (const [key, , removed] of entries) {
      if (removed) checkReferrers(connection, collections, collection, key)
      else checkTargets(connection, collections, declaration, key)
    }
  }
}

/** All targets of a record's references must exist. */
function checkTargets(
  connection: Connection,
  collections: Collections,
  declaration: CollectionDeclaration,
  key: string,
): void {
  for (const [index, { collection }] of declaration.references.entries()) {
    const target = collections.get(collection)
    if (!target) continue
    const sql = missingTarget(tableOf(declaration), index, tableOf(target.declaration))
    const missing = connection.statement(sql).get(key)
    if (missing !== undefined) throw brokenReference(declaration, index, key, missing)
  }
}

/** No record may refer to a removed one. */
function checkReferrers(connection: Connection, collections: Collections, removedFrom: string, key: string): void {
  for (const { declaration } of collections.values()) {
    const table = tableOf(declaration)
    for (const [index, { collection }] of declaration.references.entries()) {
      if (collection !== removedFrom) continue
      const sql = `SELECT ${table.key} FROM ${table.sql} WHERE ${table.references[index]} = ? LIMIT 1`
      const referrer = connection.statement(sql).get(key)
      if (referrer !== undefined) throw brokenReference(declaration, index, referrer, key)
    }
  }
}

function missingTarget(table: Table, index: number, target: Table): string {
  const column = `c.${table.references[index]}`
  return `SELECT ${column} FROM ${table.sql} c WHERE c.${table.key} = ? AND ${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${target.sql} o WHERE o.${target.key} = ${column})`
}
