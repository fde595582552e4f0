import type { Row } from '@minions/core/memory'
import type { Change } from './journal/record.js'
import type { State } from './state.js'

/** A record as a commit that has not happened yet will leave it. */
interface StagedRecord {
  readonly path: string
  readonly hash: string
  readonly row: Row
}

/** Finds a record as it was before the first commit. */
export type RowOf = (collection: string, key: string) => Row | undefined

/** The files of a store as they will be after commits that happen together, so that each can stand on those before it. */
export class StagedFiles {
  readonly #state: State
  readonly #rowOf: RowOf
  /** By collection and key; null for a record that goes. */
  readonly #records = new Map<string, Map<string, StagedRecord | null>>()
  /** The last change of each path. */
  readonly #changes = new Map<string, Change>()

  constructor(state: State, rowOf: RowOf) {
    this.#state = state
    this.#rowOf = rowOf
  }

  /** What has to be done to the files: one change for each path. */
  get changes(): readonly Change[] {
    return [...this.#changes.values()]
  }

  /** Where a record is; undefined if there is none. */
  find(collection: string, key: string): { readonly path: string; readonly hash: string } | undefined {
    const staged = this.#records.get(collection)?.get(key)
    return staged === undefined ? this.#state.index.get(collection, key) : (staged ?? undefined)
  }

  rowOf(collection: string, key: string): Row | undefined {
    const staged = this.#records.get(collection)?.get(key)
    return staged === undefined ? this.#rowOf(collection, key) : staged?.row
  }

  /** Whether a record is at a path. */
  isTaken(path: string): boolean {
    const change = this.#changes.get(path)
    return change ? change.hash !== null : this.#state.index.at(path) !== undefined
  }

  /** Whether something stands at a path that is not a record of ours. */
  isOccupied(path: string): boolean {
    return !this.#changes.has(path) && this.#state.setAside.at(path) !== undefined
  }

  /** Whether a file is not as the store knows it. */
  differs(path: string): boolean {
    return !this.#changes.has(path) && this.#state.differs(path)
  }

  add(change: Change, row: Row | null): void {
    const { collection, key, path, hash } = change
    let records = this.#records.get(collection)
    if (!records) {
      records = new Map()
      this.#records.set(collection, records)
    }
    records.set(key, row && hash !== null ? { path, hash, row } : null)
    const occupied = change.occupied ?? this.#changes.get(path)?.occupied
    this.#changes.set(path, occupied && !change.occupied ? { ...change, occupied } : change)
  }
}
