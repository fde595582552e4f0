import { getOrInsert } from '@minions/core/json'
import type { Row } from '@minions/core/memory'
import type { Change } from '../journal/record.js'
import type { State } from '../store/state.js'

/** The state of a record after a pending commit. */
interface StagedRecord {
  readonly path: string
  readonly hash: string
  readonly row: Row
}

/** Finds a record as it was before the first commit. */
export type RowOf = (collection: string, key: string) => Row | undefined

/** The files of a store after commits that happen together, so that each can build on the previous ones. */
export class StagedFiles {
  readonly #state: State
  readonly #rowOf: RowOf
  /** By collection and key; null for a removed record. */
  readonly #records = new Map<string, Map<string, StagedRecord | null>>()
  /** The last change of each path. */
  readonly #changes = new Map<string, Change>()

  constructor(state: State, rowOf: RowOf) {
    this.#state = state
    this.#rowOf = rowOf
  }

  /** The required file changes: one for each path. */
  get changes(): readonly Change[] {
    return [...this.#changes.values()]
  }

  /** The location of a record; undefined if there is none. */
  find(collection: string, key: string): { readonly path: string; readonly hash: string } | undefined {
    const staged = this.#records.get(collection)?.get(key)
    return staged === undefined ? this.#state.index.get(collection, key) : (staged ?? undefined)
  }

  rowOf(collection: string, key: string): Row | undefined {
    const staged = this.#records.get(collection)?.get(key)
    return staged === undefined ? this.#rowOf(collection, key) : staged?.row
  }

  isTaken(path: string): boolean {
    const change = this.#changes.get(path)
    return change ? change.hash !== null : this.#state.index.at(path) !== undefined
  }

  /** True if there is something other than our record at a path. */
  isOccupied(path: string): boolean {
    return !this.#changes.has(path) && this.#state.setAside.at(path) !== undefined
  }

  /** True if a file differs from the store's state. */
  differs(path: string): boolean {
    return !this.#changes.has(path) && this.#state.differs(path)
  }

  add(change: Change, row: Row | null): void {
    const { collection, key, path, hash } = change
    const records = getOrInsert(this.#records, collection, () => new Map())
    records.set(key, row && hash !== null ? { path, hash, row } : null)
    const occupied = change.occupied ?? this.#changes.get(path)?.occupied
    this.#changes.set(path, occupied && !change.occupied ? { ...change, occupied } : change)
  }
}
