import type { Commit } from '@minions/core'
import { Fenced } from './journal/journal.js'
import type { Change } from './journal/record.js'
import { encodeName, recordPath } from './names.js'
import type { State } from './state.js'
import { encodeFile } from './write-files.js'

/** A commit as changes of files. */
export interface PreparedCommit {
  readonly changes: readonly Change[]
  textOf(change: Change): string
}

/**
 * Turns what a transaction wrote into changes of files. Throws `Fenced` when one of the files has been edited since the
 * transaction began: the edit is taken in first and the transaction runs again.
 */
export function prepareCommit(state: State, commit: Commit): PreparedCommit {
  const changes: Change[] = []
  const texts = new Map<string, string>()
  for (const [collection, rows] of commit) {
    for (const [key, row] of rows) {
      const entry = state.index.get(collection, key)
      if (!entry && !row) continue
      const place = entry ?? freePlace(state, collection, key, texts)
      state.folder.refuseLinks(place.path)
      if (state.differs(place.path)) throw new Fenced(place.path)
      const was = entry?.hash ?? null
      const change = {
        collection,
        key,
        path: place.path,
        was,
        ...('occupied' in place && { occupied: place.occupied }),
      }
      if (!row) changes.push({ ...change, hash: null })
      else {
        const { text, hash } = encodeFile(state.codec, row.record)
        texts.set(place.path, text)
        changes.push({ ...change, hash, revision: row.revision, record: row.record })
      }
    }
  }
  return { changes, textOf: ({ path }) => texts.get(path) as string }
}

/** Where a new record goes: its own place, unless somebody put another record there. */
function freePlace(
  state: State,
  collection: string,
  key: string,
  taken: ReadonlyMap<string, string>,
): { path: string; occupied?: true } {
  const { extension } = state.codec
  let path = recordPath(collection, key, extension)
  for (let count = 2; state.index.at(path) || taken.has(path); count++) {
    path = recordPath(collection, key, extension).replace(encodeName(key), `${encodeName(key)}~${count}`)
  }
  return state.setAside.at(path) ? { path, occupied: true } : { path }
}
