import { searchableText } from '../../lifecycle/searchable-text.js'
import type { Minion } from '../../schemas/minion.js'
import type { Session } from '../session.js'

/**
 * Completes a valid minion before it is created, updated or migrated: returns it as it is, or a copy with derived
 * values. `before` is the previous state. The returned minion is stored, announced and handed back.
 */
export type DeriveMinion = (minion: Minion, before: Minion | undefined) => Minion

export function derived<M extends Minion>({ derive }: Pick<Session, 'derive'>, minion: M, before?: Minion): Minion {
  const complete = derive.get(minion.minionTypeId)?.(minion, before) ?? minion
  return complete === minion ? minion : { ...complete, searchableText: searchableText(complete) }
}
