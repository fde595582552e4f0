import type { QueryPlan, RecordDelete, RecordWrite, Selection, StorageTransaction, StoredRecord } from './backend.js'

/** A transaction whose calls are passed on to another one, as `call` decides. */
export abstract class PassedOn implements StorageTransaction {
  protected abstract call<T>(make: (tx: StorageTransaction) => Promise<T>): Promise<T>

  get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.call((tx) => tx.get(collection, keys))
  }

  query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.call((tx) => tx.query(collection, plan))
  }

  count(collection: string, selection: Selection): Promise<number> {
    return this.call((tx) => tx.count(collection, selection))
  }

  put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    return this.call((tx) => tx.put(collection, writes))
  }

  delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    return this.call((tx) => tx.delete(collection, deletes))
  }
}
