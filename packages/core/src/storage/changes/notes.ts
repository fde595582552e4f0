import { guarded } from '../../errors/guard.js'
import { getOrInsert } from '../../json/get-or-insert.js'
import type { ColumnValue } from '../backend.js'
import type { CollectionDeclaration } from '../declaration.js'
import type { RemovedColumns } from './feed.js'
import type { ChangeEntry } from './rows.js'

/** Maximum number of changes in one row of a feed. */
export const MOST_IN_A_ROW = 200

interface Note {
  readonly entry: ChangeEntry
  /** The record did not exist when the transaction began. */
  readonly isNew: boolean
}

/** Changes of one collection, in order. */
export interface NotedChanges {
  readonly collection: string
  readonly entries: readonly ChangeEntry[]
}

/** The changes of one transaction, only the outcome for each record: one created and removed has not changed. */
export class ChangeNotes {
  readonly #collections = new Map<string, Map<string, Note>>()

  /** Records a write. `created`: the record did not exist before. */
  put(collection: string, key: string, revision: string, created: boolean): void {
    const notes = this.#of(collection)
    notes.set(key, { entry: [key, revision], isNew: notes.get(key)?.isNew ?? created })
  }

  /** Records the removal of a record with this revision. */
  delete(collection: string, key: string, revision: string, columns: RemovedColumns): void {
    const notes = this.#of(collection)
    if (notes.get(key)?.isNew) notes.delete(key)
    else notes.set(key, { entry: [key, revision, columns], isNew: false })
  }

  /** The collections that were written to. */
  collections(): Iterable<string> {
    return this.#collections.keys()
  }

  /** The changes by collection, in chunks suited to rows. */
  rows(): NotedChanges[] {
    const rows: NotedChanges[] = []
    for (const [collection, notes] of this.#collections) {
      const entries = Array.from(notes.values(), ({ entry }) => entry)
      for (let start = 0; start < entries.length; start += MOST_IN_A_ROW) {
        const isAll = start === 0 && entries.length <= MOST_IN_A_ROW
        rows.push({ collection, entries: isAll ? entries : entries.slice(start, start + MOST_IN_A_ROW) })
      }
    }
    return rows
  }

  #of(collection: string): Map<string, Note> {
    return getOrInsert(this.#collections, collection, () => new Map())
  }
}

/** Positions of the columns that a feed keeps of a removed record: the required ones, except lists. */
export const keptColumns = guarded('keptColumns', ({ columns }: CollectionDeclaration): number[] => {
  return [...columns.keys()].filter((index) => columns[index]?.required && columns[index].type !== 'strings')
})

/** The columns that a feed keeps of a removed record. */
export const removedColumns = guarded('removedColumns', removedColumnsUnchecked)

function removedColumnsUnchecked(declaration: CollectionDeclaration, columns: readonly ColumnValue[]): RemovedColumns {
  const kept = keptColumns(declaration).map((index) => [declaration.columns[index]?.name, columns[index]])
  return Object.fromEntries(kept)
}
