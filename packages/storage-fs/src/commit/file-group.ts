import type { Commit, MemoryTransaction } from '@minions/core/memory'
import { type CommitGroup, RunAgain } from '@minions/core/storage'
import { Fenced } from '../journal/journal.js'
import type { State } from '../store/state.js'
import { type PreparedCommits, prepareCommit } from './prepare-commit.js'

/** The parts of an open store that a group needs. */
export interface GroupStore {
  /** Acquires write access and brings everything up to date. */
  begin(): Promise<void>
  end(): void
  /** The state of the store, while write access is held. */
  state(): State
  /** Performs commits: `outcome` is their combined effect on the rows. Throws if nothing has happened. */
  commit(prepared: PreparedCommits, outcome: Commit): Promise<void>
  /**
   * Records that another process has changed the store in the meantime; returns the error of a transaction that this
   * happens to too often.
   */
  fenced(by: Fenced): Error
}

/** Transactions on files that share one flush of the journal, in which each has its own record. */
export class FileGroup implements CommitGroup<MemoryTransaction> {
  readonly #store: GroupStore
  /** The writes of all members. */
  #written: MemoryTransaction | undefined
  #commits: Commit[] = []

  constructor(store: GroupStore) {
    this.#store = store
  }

  async begin(): Promise<void> {
    await this.#store.begin()
    this.#written = this.#store.state().engine.begin()
    this.#commits = []
  }

  enter(): MemoryTransaction {
    return this.#store.state().engine.begin(this.#written)
  }

  leave(tx: MemoryTransaction): void {
    this.#store.state().engine.verify(tx)
    this.#written?.absorb(tx)
    this.#commits.push(tx.commit)
  }

  /** The writes of a member are visible to no one before it leaves. */
  undo(): boolean {
    return true
  }

  async commit(): Promise<void> {
    try {
      const prepared = prepareCommit(this.#store.state(), this.#commits)
      if (prepared.files.length > 0) await this.#store.commit(prepared, this.#written?.commit ?? new Map())
    } catch (error) {
      throw error instanceof Fenced ? new RunAgain(this.#store.fenced(error)) : error
    } finally {
      this.rollback()
    }
  }

  rollback(): void {
    this.#written = undefined
    this.#commits = []
    this.#store.end()
  }
}
