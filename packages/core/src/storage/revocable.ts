import type { QueryPlan, RecordDelete, RecordWrite, Selection, StorageTransaction, StoredRecord } from './backend.js'

/** Error of a call after its transaction was revoked. */
export class Revoked extends Error {
  constructor() {
    super('This run of the transaction was revoked; its work runs again.')
  }
}

/** A transaction that can be revoked while its work is still running. */
export class Revocable implements StorageTransaction {
  #inner: StorageTransaction | undefined

  constructor(inner: StorageTransaction) {
    this.#inner = inner
  }

  revoke(): void {
    this.#inner = undefined
  }

  async get(collection: string, keys: readonly string[]): Promise<(StoredRecord | undefined)[]> {
    return this.#held().get(collection, keys)
  }

  async query(collection: string, plan: QueryPlan): Promise<StoredRecord[]> {
    return this.#held().query(collection, plan)
  }

  async count(collection: string, selection: Selection): Promise<number> {
    return this.#held().count(collection, selection)
  }

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    return this.#held().put(collection, writes)
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    return this.#held().delete(collection, deletes)
  }

  #held(): StorageTransaction {
    if (!this.#inner) throw new Revoked()
    return this.#inner
  }
}
