import { isMinionsError } from '@minions/core'
import {
  ChangeNotes,
  type CollectionWrites,
  type RecordCheck,
  type RecordDelete,
  type RecordWrite,
  type StorageTransaction,
  writeConflict,
} from '@minions/core/storage'
import type { Connection } from './connection.js'
import { translate } from './errors.js'
import type { KnownRevisions } from './known-revisions.js'
import { type File, SqliteReader } from './reader.js'
import { type TableWriter, writerOf } from './table.js'

/** State of a transaction's group. */
export interface Membership {
  /** It is the only member. */
  readonly alone: boolean
  /** There is a savepoint to roll back to. */
  readonly isSaved: boolean
  readonly revisions: KnownRevisions
}

/** A transaction on the write connection. */
export class SqliteTransaction extends SqliteReader implements StorageTransaction {
  readonly notes = new ChangeNotes()
  readonly alone: boolean
  readonly isSaved: boolean
  readonly #revisions: KnownRevisions
  /** True if anything has to be undone on failure. */
  hasWritten = false

  constructor(connection: Connection, file: File, { alone, isSaved, revisions }: Membership) {
    super(connection, file)
    this.alone = alone
    this.isSaved = isSaved
    this.#revisions = revisions
  }

  async put(collection: string, writes: readonly RecordWrite[]): Promise<void> {
    this.attempt(() => this.#put(collection, writes))
  }

  async delete(collection: string, deletes: readonly RecordDelete[]): Promise<boolean[]> {
    return this.attempt(() => this.#delete(collection, deletes))
  }

  write(batch: readonly CollectionWrites[]): void {
    try {
      for (const { collection, checks } of batch) for (const check of checks) this.#check(collection, check)
      for (const { collection, puts, deletes } of batch) {
        if (puts.length > 0) this.#put(collection, puts)
        if (deletes.length > 0) this.#delete(collection, deletes)
      }
    } catch (error) {
      throw translate(error, this.file.path)
    }
  }

  #put(collection: string, writes: readonly RecordWrite[]): void {
    const writer = this.#writer(collection)
    for (const write of writes) {
      try {
        const created = writer.put(this.connection, write)
        this.hasWritten = true
        this.notes.put(collection, write.key, write.revision, created)
      } catch (error) {
        throw this.#failed(error)
      }
    }
  }

  #delete(collection: string, deletes: readonly RecordDelete[]): boolean[] {
    const writer = this.#writer(collection)
    return deletes.map((removal) => {
      try {
        const removed = writer.delete(this.connection, removal)
        this.hasWritten = true
        if (removed) this.notes.delete(collection, removal.key, removed.revision, removed.columns)
        return removed !== undefined
      } catch (error) {
        throw this.#failed(error)
      }
    })
  }

  /** A refused record has changed nothing; after any other failure the state is unknown. */
  #failed(error: unknown): unknown {
    this.hasWritten ||= !isMinionsError(error)
    return error
  }

  #check(collection: string, { key, expect }: RecordCheck): void {
    if (this.#revisions.has(collection, key, expect)) return
    const current = this.#writer(collection).revisionOf(this.connection, key)
    if (current !== expect) throw writeConflict(collection, key, expect, current)
    this.#revisions.note(collection, key, current)
  }

  #writer(collection: string): TableWriter {
    return writerOf(this.collection(collection).declaration)
  }
}
