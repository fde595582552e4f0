import type { Mutex } from '@minions/core/coordination'
import type { ChangeWatchers, CommitGroup, Retention } from '@minions/core/storage'
import { isBusy, whileBusy } from './busy.js'
import { readCatalogue } from './catalogue.js'
import type { Connection } from './connection.js'
import { sqliteCode, translate } from './errors.js'
import { GroupChanges, removeChanges } from './feed.js'
import { KnownRevisions } from './known-revisions.js'
import type { File } from './reader.js'
import { checkReferences } from './references.js'
import { SqliteTransaction } from './transaction.js'
import { explainReference } from './violations.js'

/** The parts of an open file that a group needs. */
export interface GroupOptions {
  readonly file: File
  readonly writer: Connection
  /** Excludes other writers of this process. */
  readonly mutex: Mutex
  /** Milliseconds to wait for writers of other processes. */
  readonly busyTimeout: number
  readonly retention: Retention
  readonly watchers: ChangeWatchers
}

/** Number of members that get their own savepoint after one had to be undone without one. */
const CAREFUL_FOR = 250

/**
 * Transactions on one connection that share a commit. Transactions that have already written are rarely undone, and a
 * savepoint costs as much as several writes: so there is none, and the others of the group are retried, until that has
 * happened.
 */
export class SqliteGroup implements CommitGroup<SqliteTransaction> {
  readonly #options: GroupOptions
  readonly #writer: Connection
  readonly #revisions = new KnownRevisions()
  /** Changes when another connection has committed. */
  #dataVersion: unknown
  /** What the members have changed. */
  readonly #changes = new GroupChanges()
  /** Number of members that still get a savepoint. */
  #careful = 0

  constructor(options: GroupOptions) {
    this.#options = options
    this.#writer = options.writer
  }

  begin(): Promise<void> | undefined {
    const waiting = this.#options.mutex.acquire()
    return waiting ? waiting.then(() => this.#begin()) : this.#begin()
  }

  enter(alone: boolean): SqliteTransaction {
    const isSaved = !alone && this.#careful > 0
    if (isSaved) {
      this.#careful -= 1
      this.#writer.texts.write()
      this.#writer.run('SAVEPOINT member')
    }
    return new SqliteTransaction(this.#writer, this.#options.file, { alone, isSaved, revisions: this.#revisions })
  }

  leave(tx: SqliteTransaction): void {
    const { file } = this.#options
    try {
      const changes = tx.notes.rows()
      if (!tx.alone) checkReferences(this.#writer, file.collections, changes)
      for (const collection of tx.notes.collections()) this.#revisions.forget(collection)
      if (tx.isSaved) this.#writer.run('RELEASE member')
      this.#changes.add(changes)
    } catch (error) {
      throw translate(error, file.path)
    }
  }

  /** After some failures, such as a full disk, SQLite itself has rolled back everything. */
  undo({ alone, isSaved, hasWritten }: SqliteTransaction): boolean {
    this.#revisions.clear()
    if (this.#writer.database.inTransaction && (isSaved ? this.#restore() : !hasWritten)) return true
    if (!alone) this.#careful = CAREFUL_FOR
    this.rollback()
    return false
  }

  /** Rolls back to the savepoint; false if that fails. */
  #restore(): boolean {
    try {
      this.#writer.texts.clear()
      this.#writer.run('ROLLBACK TO member')
      this.#writer.run('RELEASE member')
      return true
    } catch {
      return false
    }
  }

  /** SQLite checks references here; those of members that share a commit have been checked before. */
  commit(): undefined {
    try {
      const written = this.#changes.write(this.#writer)
      removeChanges(this.#writer, this.#options.retention, written)
      this.#writer.commit()
    } catch (error) {
      const isReference = sqliteCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY'
      const explained = isReference ? explainReference(this.#writer, readCatalogue(this.#writer), error) : error
      this.rollback()
      throw translate(explained, this.#options.file.path)
    }
    this.#options.mutex.release()
    this.#options.watchers.wake()
  }

  rollback(): void {
    this.#revisions.clear()
    try {
      this.#writer.rollback()
    } finally {
      this.#options.mutex.release()
    }
  }

  #begin(): Promise<void> | undefined {
    try {
      this.#writer.run('BEGIN IMMEDIATE')
      this.#noteVersion()
      return undefined
    } catch (error) {
      return this.#beginLater(error)
    }
  }

  async #beginLater(error: unknown): Promise<void> {
    const { busyTimeout, mutex, file } = this.#options
    try {
      if (!isBusy(error)) throw error
      await whileBusy(busyTimeout, () => this.#writer.run('BEGIN IMMEDIATE'))
      this.#noteVersion()
    } catch (failure) {
      this.#writer.rollback()
      mutex.release()
      throw translate(failure, file.path)
    }
  }

  #noteVersion(): void {
    this.#changes.clear()
    const version = this.#writer.statement('PRAGMA data_version').get()
    if (version !== this.#dataVersion) this.#revisions.clear()
    this.#dataVersion = version
  }
}
