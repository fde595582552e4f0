import { hasBrand } from '../errors/minions-error.js'
import type { StoreReader } from './access.js'
import type { Store } from './store.js'

/** Marks stores. A registered symbol, since two copies of this package can meet in one process. */
export const STORE = Symbol.for('@minions/store')

/** True for a store, where each call is its own transaction; false for a running transaction. */
export function isStore(access: StoreReader): access is Store {
  return hasBrand(access, STORE)
}
