import { isMinionsError, messageOf } from '@minions/core'
import type { Row } from '@minions/core/memory'
import { newRevision, type RecordWrite } from '@minions/core/storage'
import type { State } from '../store/state.js'
import { UnreadRow } from '../store/unread-row.js'
import type { FileContent } from './folder.js'
import { decodeName } from './names.js'

/** The result of examining a file. */
export type Reading =
  | { readonly kind: 'missing'; readonly path: string }
  | {
      readonly kind: 'record'
      readonly path: string
      readonly hash: string
      readonly collection: string
      readonly write: RecordWrite
      /** It is unchanged since it was last in sync with the store. */
      readonly known: boolean
    }
  | {
      readonly kind: 'broken'
      readonly path: string
      readonly hash: string
      readonly collection: string
      readonly key: string | undefined
      readonly code: string
      readonly message: string
    }

/** The line with which git begins a merge conflict. */
const CONFLICT = /^<{7} /m

/** The row of a file that is as we wrote it; undefined if it is not, and has to be examined. */
export function readUnchanged(state: State, path: string, file: FileContent): Row | undefined {
  const entry = state.index.at(path)
  if (file.kind !== 'file' || file.text === undefined || file.hash !== entry?.hash || entry.edited) return undefined
  const collection = state.collections.get(entry.collection)?.stored
  return collection && new UnreadRow(entry, file.text, collection, state.codec)
}

/** Examines a file of a collection. Problems are reported for this file and affect no other. */
export function interpret(state: State, path: string, file: FileContent): Reading {
  if (file.kind === 'missing') return { kind: 'missing', path }
  const collection = state.collectionAt(path) as string
  const { hash } = file
  const broken = (code: string, message: string): Reading => {
    return { kind: 'broken', path, hash, collection, key: keyOf(state, path), code, message: `${path}: ${message}` }
  }
  if (file.kind === 'refused') return broken('STORAGE_UNAVAILABLE', `${file.message}.`)
  if (!path.endsWith(state.codec.extension)) {
    return broken('VALIDATION_FAILED', `the records of this store are stored as ${state.codec.format}.`)
  }
  if (file.text === undefined) return broken('STORAGE_CORRUPT', 'it is not text in UTF-8.')
  let value: unknown
  try {
    value = state.codec.decode(file.text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (CONFLICT.test(file.text)) return broken('STORAGE_CORRUPT', 'it contains a merge conflict; resolve it.')
    return broken('STORAGE_CORRUPT', `it is not ${state.codec.format} (${firstLine(error)}).`)
  }
  try {
    return { kind: 'record', path, hash, collection, ...toWrite(state, { path, hash, collection, value }) }
  } catch (error) {
    if (!isMinionsError(error)) throw error
    return broken(error.code, error.message)
  }
}

function toWrite(
  state: State,
  { path, hash, collection, value }: { path: string; hash: string; collection: string; value: unknown },
): { write: RecordWrite; known: boolean } {
  const { stored, check, derive } = state.collection(collection)
  const entry = state.index.at(path)
  const known = entry?.hash === hash
  if (known && !entry.edited) return { write: stored.toWrite(value, entry.revision), known }
  const { record } = known ? stored.toWrite(value, entry.revision) : check(value)
  return { write: stored.toWrite(derive(record), known ? entry.revision : newRevision()), known }
}

/** The key of the record that a broken file holds, or held: as known, or according to its name. */
function keyOf(state: State, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1, -state.codec.extension.length)
  return state.index.at(path)?.key ?? state.setAside.at(path)?.key ?? decodeName(name)
}

function firstLine(error: unknown): string {
  const message = messageOf(error)
  return (message.split('\n', 1)[0] as string).replace(/[.:]$/, '')
}
