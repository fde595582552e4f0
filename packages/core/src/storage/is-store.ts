import { hasBrand } from '../errors/minions-error.js'
import type { StoreAccess } from './access.js'
import type { Store } from './store.js'

/** Marks stores. A symbol of all copies of this package, since two of them can meet in one process. */
export const STORE = Symbol.for('@minions/store')

/** True for a store, where each call is a transaction of its own; false for a transaction under way. */
export function isStore(access: StoreAccess): access is Store {
  return hasBrand(access, STORE)
}
