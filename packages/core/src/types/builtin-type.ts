import type { MinionType } from '../schemas/minion-type.js'
import { freezeType } from './freeze-type.js'

type Builtin<T extends { readonly slug: string }> = T & {
  readonly id: `builtin-${T['slug']}`
  readonly isSystem: true
}

/** A type of the system, frozen, with names, kinds and options of its fields as literal types. Its id follows from its slug. */
export function builtinType<const T extends Omit<MinionType, 'id' | 'isSystem'>>(type: T): Builtin<T> {
  return freezeType<Builtin<T>>({ ...type, id: `builtin-${type.slug as T['slug']}`, isSystem: true })
}
