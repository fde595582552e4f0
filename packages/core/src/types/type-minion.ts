import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { copyJson } from '../json/copy-json.js'
import type { LifecycleOptions } from '../lifecycle/options.js'
import { searchableText } from '../lifecycle/searchable-text.js'
import type { Minion } from '../schemas/minion.js'
import type { MinionType } from '../schemas/minion-type.js'
import { readClock } from '../time/clock.js'
import type { MinionOf } from './fields-of.js'
import { minionTypeType } from './minion-type-type.js'
import { assertUsableType } from './type-problems.js'

/**
 * Describes a type as a minion of the type `minion-type`: id, name and description become its id, title and
 * description, everything else its fields. `minionToType` restores exactly the same type. Throws `INVALID_TYPE`.
 */
export const typeToMinion = guarded('typeToMinion', typeToMinionUnchecked)

function typeToMinionUnchecked(type: MinionType, options: LifecycleOptions = {}): MinionOf<typeof minionTypeType> {
  assertUsableType(type)
  const { id, name, description, ...properties } = copyJson(type)
  const time = readClock(options.clock)
  const minion: Minion = {
    id,
    title: name,
    minionTypeId: minionTypeType.id,
    fields: properties,
    status: 'active',
    createdAt: time,
    updatedAt: time,
    ...(description === undefined ? {} : { description }),
    ...(options.by === undefined ? {} : { createdBy: options.by }),
  }
  minion.searchableText = searchableText(minion)
  return minion as MinionOf<typeof minionTypeType>
}

/** The type described by a minion of the type `minion-type`. Throws `INVALID_TYPE` when it does not describe one. */
export const minionToType = guarded('minionToType', minionToTypeUnchecked, { checksInside: true })

function minionToTypeUnchecked(minion: Minion): MinionType {
  if (minion.minionTypeId !== minionTypeType.id) {
    throw coreError('INVALID_TYPE', `Minion ${minion.id} is not of the type "${minionTypeType.slug}".`, {
      details: { id: minion.id, minionTypeId: minion.minionTypeId },
    })
  }
  const { id, title, description, fields } = minion
  const type = { ...fields, id, name: title, ...(description === undefined ? {} : { description }) }
  assertUsableType(type)
  return copyJson(type) as MinionType
}
