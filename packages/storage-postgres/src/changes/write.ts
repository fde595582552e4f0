import type { ChangeNotes } from '@minions/core/storage'
import { escapeLiteral } from 'pg'
import { CHANGES, qualified } from '../names.js'

/**
 * The statement that writes what a transaction has changed, with all values in it: it is sent together with the commit,
 * and so costs no extra round trip. It must be the last one, so that its number follows all locks of the transaction:
 * then the numbers of one record are in commit order.
 */
export function changesStatement(schema: string, notes: ChangeNotes): string | undefined {
  const rows = Array.from(notes.rows(), ({ collection, entries }) => {
    return `(${escapeLiteral(collection)}, ${escapeLiteral(JSON.stringify(entries))})`
  })
  if (rows.length === 0) return undefined
  return `INSERT INTO ${qualified(schema, CHANGES)} (collection, entries) VALUES ${rows.join(', ')}`
}
