import type { RecordDelete, RecordWrite, StorageTransaction } from '@minions/core'
import { SqliteReader } from './reader.js'
import { TableWriter } from './table.js'

/** A transaction on the writing connection. */
export class SqliteTransaction extends SqliteReader implements StorageTransaction {
  readonly #writers = new Map<string, TableWriter>()

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    const writer = this.#writer(collection)
    this.attempt(() => {
      for (const write of writes) writer.put(this.connection, write)
    })
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    const writer = this.#writer(collection)
    return this.attempt(() => deletes.map((removal) => writer.delete(this.connection, removal)))
  }

  #writer(collection: string): TableWriter {
    let writer = this.#writers.get(collection)
    if (!writer) {
      writer = new TableWriter(this.collection(collection).declaration)
      this.#writers.set(collection, writer)
    }
    return writer
  }
}
