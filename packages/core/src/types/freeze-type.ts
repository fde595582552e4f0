import { copyJson } from '../json/copy-json.js'
import { deepFreeze } from '../json/deep-freeze.js'
import type { MinionType } from '../schemas/minion-type.js'

const frozenTypes = new WeakSet<object>()

/** A deeply frozen copy of a type; a copy made here is returned as it is. */
export function freezeType<T extends MinionType>(type: T): T {
  if (frozenTypes.has(type)) return type
  const copy = deepFreeze(copyJson(type, 'The type'))
  frozenTypes.add(copy)
  return copy
}
