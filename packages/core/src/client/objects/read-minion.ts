import { isId } from '../../ids.js'
import type { Minion } from '../../schemas/minion.js'
import type { Revised } from '../../storage/access.js'
import { isStore } from '../../storage/is-store.js'
import { type RevisedText, UNGUARDED } from '../../storage/unguarded.js'
import { minionsCollection } from '../collections.js'
import { readCurrent } from '../evolution/evolving.js'
import type { Session } from '../session.js'

/** A minion with its revision. */
export interface MinionRecord<M = Minion> {
  readonly minion: M
  readonly revision: string
}

/** A minion with its revision, and its JSON text where the store has it at hand. */
export interface MinionText extends MinionRecord {
  readonly json: string | undefined
}

type Select<T> = (found: Revised<Minion>) => T

export function getRecord(session: Session, id: string): Promise<MinionRecord | undefined> {
  return read(session, id, ({ record, revision }) => ({ minion: record, revision }))
}

export function getMinion(session: Session, id: string): Promise<Minion | undefined> {
  return read(session, id, ({ record }) => record)
}

/** The minion that `getRecord` would find, at once: null if there is none, undefined if it has to be waited for. */
export function getMinionNow({ store, types }: Session, id: string): MinionText | null | undefined {
  if (!isId(id)) return null
  if (!isStore(store)) return undefined
  const { changes } = types
  const found = store[UNGUARDED].getNow(minionsCollection, id)
  if (!found) return found
  const { record: minion, revision, json, version } = found
  return types.isKnownCurrent(minion.minionTypeId, changes, version) ? { minion, revision, json } : undefined
}

/**
 * Reads a minion in the current shape of its type, and resolves to what `select` makes of it. Where the store has its data
 * at hand, that nearly always takes no other read and one promise.
 */
function read<T>(session: Session, id: string, select: Select<T>): Promise<T | undefined> {
  const { store, types } = session
  if (!isId(id)) return Promise.resolve(undefined)
  if (!isStore(store)) return readInSnapshot(session, id, select)
  const { changes } = types
  const found = store[UNGUARDED].getNow(minionsCollection, id)
  if (found === null) return Promise.resolve(undefined)
  if (found && types.isKnownCurrent(found.record.minionTypeId, changes, found.version)) {
    return Promise.resolve(select(found))
  }
  const verify = async (read: RevisedText<Minion> | undefined) => {
    if (!read) return undefined
    const isCurrent = await types.areCurrent(store, [read.record.minionTypeId], changes, read.version)
    return isCurrent ? select(read) : readInSnapshot(session, id, select)
  }
  return found ? verify(found) : store[UNGUARDED].get(minionsCollection, id).then(verify)
}

/** Reads a minion together with the progress of an evolution of its type. */
async function readInSnapshot<T>(session: Session, id: string, select: Select<T>): Promise<T | undefined> {
  const { items, revision } = await readCurrent(session, async (reader) => {
    const found = await reader.getRevised(minionsCollection, id)
    return { items: found ? [found.record] : [], revision: found?.revision }
  })
  return items[0] && revision !== undefined ? select({ record: items[0], revision }) : undefined
}
