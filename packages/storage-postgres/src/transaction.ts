import type { RecordDelete, RecordWrite, StorageTransaction } from '@minions/core'
import { PostgresReader } from './reader.js'
import { WrittenReferences } from './violations.js'

/** A transaction on a connection of its own. */
export class PostgresTransaction extends PostgresReader implements StorageTransaction {
  readonly written = new WrittenReferences()

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    const { table, writer } = this.collection(collection)
    await writer.put(this.executor, writes)
    if (table.declaration.references.length === 0) return
    for (const write of writes) this.written.note(table, write)
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    return this.collection(collection).writer.delete(this.executor, deletes)
  }
}
