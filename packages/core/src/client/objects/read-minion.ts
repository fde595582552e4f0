import { isId } from '../../ids.js'
import type { Minion } from '../../schemas/minion.js'
import type { Revised } from '../../storage/access.js'
import { isStore } from '../../storage/is-store.js'
import { UNGUARDED } from '../../storage/unguarded.js'
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
  const { record: minion, revision, json } = found
  return types.isKnownCurrent(store, minion.minionTypeId, changes) ? { minion, revision, json } : undefined
}

/**
 * Reads a minion in the current shape of its type, and resolves to what `select` makes of it. The read is verified
 * afterwards, which nearly always takes no other read: where the store has its data at hand, there is one promise.
 */
function read<T>(session: Session, id: string, select: Select<T>): Promise<T | undefined> {
  const { store, types } = session
  if (!isId(id)) return Promise.resolve(undefined)
  if (!isStore(store)) return readInSnapshot(session, id, select)
  const { changes } = types
  const verify = (found: Revised<Minion> | null | undefined) => {
    if (!found) return undefined
    const take = (isCurrent: boolean) => (isCurrent ? select(found) : readInSnapshot(session, id, select))
    const isCurrent = types.areCurrent(store, [found.record.minionTypeId], changes)
    return typeof isCurrent === 'boolean' ? take(isCurrent) : isCurrent.then(take)
  }
  const found = store[UNGUARDED].getNow(minionsCollection, id)
  return found === undefined ? store[UNGUARDED].get(minionsCollection, id).then(verify) : Promise.resolve(verify(found))
}

/** Reads a minion together with the progress of an evolution of its type. */
async function readInSnapshot<T>(session: Session, id: string, select: Select<T>): Promise<T | undefined> {
  const { items, revision } = await readCurrent(session, async (reader) => {
    const found = await reader.getRevised(minionsCollection, id)
    return { items: found ? [found.record] : [], revision: found?.revision }
  })
  return items[0] && revision !== undefined ? select({ record: items[0], revision }) : undefined
}
