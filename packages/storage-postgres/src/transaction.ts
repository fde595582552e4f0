import {
  ChangeNotes,
  type ClaimChange,
  type QueryPlan,
  type RecordDelete,
  type RecordWrite,
  type StorageTransaction,
  type StoredRecord,
} from '@minions/core/storage'
import { PostgresReader, toStored } from './reader.js'
import { queryStatement } from './sql/query.js'
import { WrittenReferences } from './violations.js'

/** A transaction on its own connection. */
export class PostgresTransaction extends PostgresReader implements StorageTransaction {
  readonly written = new WrittenReferences()
  readonly notes = new ChangeNotes()

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    const { table, writer } = this.collection(collection)
    const created = await writer.put(this.executor, writes)
    for (const { key, revision } of writes) this.notes.put(collection, key, revision, created.has(key))
    if (table.declaration.references.length === 0) return
    for (const write of writes) this.written.note(table, write)
  }

  /** Takes records that no other transaction holds, locked until this one ends. */
  async claim(collection: string, plan: QueryPlan, change: ClaimChange): Promise<StoredRecord[]> {
    const { table } = this.collection(collection)
    const { text, ...rest } = queryStatement(table, plan)
    const { rows } = await this.executor.run({ text: `${text} FOR UPDATE OF c SKIP LOCKED`, ...rest })
    const writes = toStored(rows).map(change)
    if (writes.length > 0) await this.put(collection, writes)
    return writes
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    const removed = await this.collection(collection).writer.delete(this.executor, deletes)
    return deletes.map(({ key }) => {
      const record = removed.get(key)
      if (record) this.notes.delete(collection, key, record.revision, record.columns)
      // A duplicate key is removed only once.
      return removed.delete(key)
    })
  }
}
