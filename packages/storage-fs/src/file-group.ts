import type { Commit, MemoryTransaction } from '@minions/core/memory'
import { type CommitGroup, RunAgain } from '@minions/core/storage'
import { Fenced } from './journal/journal.js'
import { type PreparedCommits, prepareCommit } from './prepare-commit.js'
import type { State } from './state.js'

/** What a group needs of an open store. */
export interface GroupStore {
  /** Takes the right to write and brings everything up to date. */
  begin(): Promise<void>
  /** Gives the right to write back. */
  end(): void
  /** The store as it is, while the right to write is held. */
  state(): State
  /** Makes commits happen: `outcome` is what all of them together do to the rows. Throws if nothing has happened. */
  commit(prepared: PreparedCommits, outcome: Commit): Promise<void>
  /** Notes that another process has changed the store meanwhile; returns the error of a transaction that this befalls too often. */
  fenced(by: Fenced): Error
}

/** Transactions on files that share one flush of the journal, in which each has a record of its own. */
export class FileGroup implements CommitGroup<MemoryTransaction> {
  readonly #store: GroupStore
  /** What all members have written. */
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

  /** What a member has written is in no one's way before it leaves. */
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
