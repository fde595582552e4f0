import type { Commit, Row } from '@minions/core/memory'
import { contentHash } from '../files/folder.js'
import { encodeName, recordPath } from '../files/names.js'
import { Fenced } from '../journal/journal.js'
import type { Change } from '../journal/record.js'
import type { State } from '../store/state.js'
import { type RowOf, StagedFiles } from './staged-files.js'

/** Commits as file changes. */
export interface PreparedCommits {
  /** The changes of each commit. */
  readonly commits: readonly (readonly Change[])[]
  /** Their combined effect on the files. */
  readonly files: readonly Change[]
  textOf(change: Change): string
}

/**
 * Turns the writes of transactions, each on top of the previous ones, into file changes. Throws `Fenced` when one of
 * the files has been edited since the transactions began: the edit is adopted first and they run again.
 */
export function prepareCommit(
  state: State,
  commits: readonly Commit[],
  rowOf: RowOf = (collection, key) => state.engine.row(collection, key),
): PreparedCommits {
  const staged = new StagedFiles(state, rowOf)
  const texts = new Map<string, string>()
  const prepared = commits.map((commit) => {
    const changes: Change[] = []
    for (const [collection, rows] of commit) {
      for (const [key, row] of rows) {
        const change = changeOf(state, staged, texts, { collection, key, row })
        if (!change) continue
        changes.push(change)
        staged.add(change, row)
      }
    }
    return changes
  })
  return { commits: prepared, files: staged.changes, textOf: ({ path }) => texts.get(path) as string }
}

/** Undefined if there was no record and there will be none. */
function changeOf(
  state: State,
  staged: StagedFiles,
  texts: Map<string, string>,
  { collection, key, row }: { collection: string; key: string; row: Row | null },
): Change | undefined {
  const entry = staged.find(collection, key)
  if (!entry && !row) return undefined
  const path = entry?.path ?? freePath(state, staged, collection, key)
  state.folder.refuseLinks(path)
  if (staged.differs(path)) throw new Fenced(path)
  const was = entry?.hash ?? null
  if (!row) {
    const old = staged.rowOf(collection, key)
    return { collection, key, path, was, hash: null, ...(old && { removed: state.removedOf(collection, old) }) }
  }
  const text = state.codec.encode(row.record)
  texts.set(path, text)
  const change = { collection, key, path, was, hash: contentHash(text), revision: row.revision, record: row.record }
  return !entry && staged.isOccupied(path) ? { ...change, occupied: true } : change
}

/** The path of a new record: its own, unless another record was put there by hand. */
function freePath(state: State, staged: StagedFiles, collection: string, key: string): string {
  const { extension } = state.codec
  let path = recordPath(collection, key, extension)
  for (let count = 2; staged.isTaken(path); count++) {
    path = recordPath(collection, key, extension).replace(encodeName(key), `${encodeName(key)}~${count}`)
  }
  return path
}
