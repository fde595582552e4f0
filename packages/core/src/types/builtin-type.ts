import type { MinionType } from '../schemas/minion-type.js'
import { freezeType } from './freeze-type.js'

/** A type of the system, frozen, with names, kinds and options of its fields as literal types. */
export function builtinType<const T extends Omit<MinionType, 'isSystem'>>(type: T): T & { readonly isSystem: true } {
  return freezeType({ ...type, isSystem: true })
}
