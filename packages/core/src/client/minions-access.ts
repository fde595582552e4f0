import type { Minions } from './minions.js'

/**
 * The part of the client that works inside a transaction too: everything except closing the store, importing a bundle and
 * listening to events.
 */
export interface MinionsAccess extends Omit<Minions, 'close' | 'importBundle' | 'on' | 'transaction'> {
  /** Takes part in the transaction under way, or runs a new one; see `Minions.transaction`. */
  transaction<T>(work: (tx: MinionsAccess) => Promise<T>): Promise<T>
}
