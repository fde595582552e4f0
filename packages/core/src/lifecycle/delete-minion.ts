import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { isAbsent } from '../fields/absent.js'
import { jsonProblem } from '../json/copy-json.js'
import type { Minion } from '../schemas/minion.js'
import { readClock } from '../time/clock.js'
import { inAttributeOrder } from './attribute-order.js'
import type { LifecycleOptions } from './options.js'
import { searchableText } from './searchable-text.js'

/** True if a minion is soft-deleted. */
export const isDeleted = guarded(
  'isDeleted',
  (minion: Pick<Minion, 'deletedAt'>): boolean => !isAbsent(minion.deletedAt),
)

/** Marks a minion as deleted; its relations stay. Deleting a deleted minion changes nothing and returns it as it is. */
export const softDelete = guarded(
  'softDelete',
  <M extends Minion<object>>(minion: M, deletedBy?: string | null, options: LifecycleOptions = {}): M => {
    if (isDeleted(minion)) return minion
    const time = readClock(options.clock)
    const by = actor('deletedBy', isAbsent(deletedBy) ? options.by : deletedBy)
    return refreshed({ ...minion, updatedAt: time, deletedAt: time, ...by })
  },
)

/** Restores a deleted minion; one that is not deleted is returned as it is. `by` becomes updatedBy. */
export const restoreMinion = guarded(
  'restoreMinion',
  <M extends Minion<object>>(minion: M, options: LifecycleOptions = {}): M => {
    if (!isDeleted(minion)) return minion
    const by = actor('updatedBy', options.by)
    return refreshed({ ...minion, updatedAt: readClock(options.clock), deletedAt: null, deletedBy: null, ...by })
  },
)

/** Removes all relations of a minion, in either direction, from a graph and returns their number. */
export const hardDelete = guarded(
  'hardDelete',
  (minion: Pick<Minion, 'id'>, graph: { removeByMinionId(id: string): number }): number =>
    graph.removeByMinionId(minion.id),
)

function refreshed<M extends Minion<object>>(minion: M): M {
  return inAttributeOrder({ ...minion, searchableText: searchableText(minion) })
}

function actor(attribute: 'deletedBy' | 'updatedBy', by: string | null | undefined): Partial<Minion> {
  if (isAbsent(by)) return {}
  if (typeof by === 'string' && jsonProblem(by) === undefined) return { [attribute]: by }
  throw coreError('VALIDATION_FAILED', '`by` of a deleted or restored minion must be a string that can be stored.', {
    details: { by: String(by) },
  })
}
